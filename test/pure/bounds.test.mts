import { Bounds, UNIT } from '../../nodes/IntegrationLeads/windows/bounds';
import type { Span } from '../../nodes/IntegrationLeads/windows/listed';

const START = Date.parse('2026-03-02T12:00:00Z');
const END = START + 60_000;
const between = { start: START, end: END };

it.each<[number, Span, object]>([
	[UNIT.second, between, { after: START - 1, before: END }],
	[UNIT.second, { start: -Infinity, end: END }, { before: END }],
	[UNIT.second, { start: START, end: Infinity }, { after: START - 1 }],
	[UNIT.second, { start: -Infinity, end: Infinity }, {}],
	[UNIT.none, between, {}],
])('with the unit %d, %j is asked for by %j', (unit, span, query) => {
	expect(new Bounds(unit).toQuery(span)).toEqual(query);
});

/** Leads that came for the interval. */
function noticed(unit: number, ...times: number[]): number | undefined {
	const bounds = new Bounds(unit);
	const leads = times.map((createdAt) => ({ id: String(createdAt), createdAt }));
	bounds.notice({ records: leads, leads, order: 'none' }, between);
	return bounds.unit;
}

it.each<[string, number[], number]>([
	['none', [], UNIT.second],
	['all inside', [START, END - 1], UNIT.second],
	['as far outside as the unit allows', [START - 1001, END + 1000], UNIT.second],
	['one too early', [START - 1002, END], UNIT.day],
	['one too late', [START, END + 1001], UNIT.day],
])('leads that show how coarse bounds are: %s', (_, times, unit) => {
	expect(noticed(UNIT.second, ...times)).toBe(unit);
});

it('becomes coarser one unit at a time', () => {
	const far = START - 10 * 86_400_000;
	expect(noticed(UNIT.second, far)).toBe(UNIT.day);
	expect(noticed(UNIT.day, far)).toBe(UNIT.none);
	expect(noticed(UNIT.none, far)).toBe(UNIT.none);
});

/** The unit that is found where the service compares by the second and these leads left the list meanwhile. */
async function unitFound(...gone: number[]): Promise<number | undefined> {
	const leads = [START, END].map((createdAt) => ({ id: String(createdAt), createdAt }));
	const listed = (span?: Span) => {
		const inside = leads.filter(
			({ createdAt }, index) =>
				!span || (!gone.includes(index) && createdAt >= span.start && createdAt < span.end),
		);
		return { records: inside, leads: inside, order: 'rising' as const };
	};
	const bounds = new Bounds();
	await bounds.probeUnit(async (span) => listed(span), listed());
	return bounds.unit;
}

it.each([
	['none', [], UNIT.second],
	['the first', [0], UNIT.second],
	['both, as if bounds were ignored', [0, 1], UNIT.none],
])('leads that leave the list while the unit is found: %s', async (_, gone, unit) => {
	expect(await unitFound(...gone)).toBe(unit);
});

it.each([
	['in the middle', 10_000, 20_000, 15_000],
	['at the second of the later one', 10_900, 11_100, 11_000],
	['at the later one', 10_500, 11_000, 11_000],
	['nowhere in a second', 10_000, 10_999, undefined],
	['nowhere between equals', 10_000, 10_000, undefined],
])('cuts %s: between %d and %d', (_, before, after, cut) => {
	expect(new Bounds(UNIT.second).between(before, after)).toBe(cut);
});
