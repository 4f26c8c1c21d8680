import type { Assumption } from '../assumption.mts';
import { answers } from './answers.mts';
import { changes } from './changes.mts';
import { creation } from './creation.mts';
import { filters } from './filters.mts';
import { accepted } from './operations.mts';
import { pages } from './pages.mts';
import { rate } from './rate.mts';
import { records } from './records.mts';

/** Everything that is assumed of the service, by topic. */
export const assumptions: Record<string, Assumption[]> = {
	'How answers are wrapped': answers,
	'Rate limit': rate,
	'Pages of leads': pages,
	'Filters of leads': filters,
	Records: records,
	Operations: accepted,
	'Creating a lead': creation,
	'What writing does': changes,
};
