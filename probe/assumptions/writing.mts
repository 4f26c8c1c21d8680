import { after, record, verdict, type Assumption, type Check } from '../assumption.mts';

/** Whether a field of the record read is what was sent with one request, also after another one. */
export const kept = (name: string, field: string, sentWith: string, changedBy = sentWith): Check =>
	after(
		[sentWith, changedBy],
		record(name, (found, _, { named }) => {
			const sent = named(sentWith)?.sent.body?.[field];
			return verdict(found[field] === sent, `${field}: ${JSON.stringify(found[field])}`);
		}),
	);

/** Marks assumptions as such that only writing can tell. */
export const byWriting = (all: Assumption[]): Assumption[] =>
	all.map((each) => ({ ...each, writes: true }));
