/** Whether a list that shows what was recorded was read whole: what is not seen would be recorded twice. */
import { readToEnd } from '../../nodes/IntegrationLeads/find/list';
import type { ServiceBehaviour } from './leadList.mts';
import { businessHours, leadList } from './leadList.mts';
import { seeded } from './virtualClock.mts';

const unstated: ServiceBehaviour = { withoutTotal: true };
const ignoring: ServiceBehaviour = { ignores: { page: true } };

test.each<[ServiceBehaviour, found: number, complete: boolean]>([
	[{}, 30, true],
	[{ largestPage: 7 }, 30, true],
	[{ largestPage: 6 }, 30, true],
	// Of a list that is too long, only the first page is read.
	[{ largestPage: 5 }, 5, false],
	// Without a stated length, the page after the end must be empty.
	[unstated, 30, true],
	[{ ...unstated, largestPage: 10 }, 30, true],
	[{ ...unstated, largestPage: 7 }, 7, false],
	[{ ...unstated, ...ignoring }, 30, false],
	[{ ...ignoring, largestPage: 7 }, 7, false],
	[{ nameless: true, largestPage: 7 }, 30, false],
])('%j', async (behaviour, found, isComplete) => {
	const list = leadList(businessHours(30, seeded(1)), behaviour);
	const { records, complete } = await readToEnd(list.read, 5);
	expect([records.length, complete]).toEqual([found, isComplete]);
});
