/** Whether a status, priority, source or tag is one that no lead of the account has: it may be misspelled. */
import { documentedValues } from '../contract/lead';
import { isRecord } from '../contract/envelope';
import type { Page } from '../transport/paginate';
import { pagesIn } from '../transport/paginate';
import { pageReader } from '../transport/read';
import type { Client } from '../transport/send';

/** The fields by which leads can be listed (spec 4.1). For tags nothing is documented. */
const FIELDS: Record<string, readonly string[]> = { ...documentedValues, tag: [] };

export class NewValues {
	/** Asked for one value in a run, by the first item that has one. */
	private asked?: { field: string; value: string; isNew: Promise<boolean> };

	/**
	 * @param hints receives what is found
	 * @param newest the newest leads, if this run has read them
	 */
	constructor(
		private readonly client: Client,
		private readonly hints: Set<string>,
		private readonly newest: () => Page,
	) {}

	/**
	 * To be called before anything is written.
	 *
	 * @param fields of a lead, or filters
	 * @returns fields for the output
	 */
	async note(fields: unknown): Promise<{ newValue?: string }> {
		const [field, known] =
			Object.entries(FIELDS).find(([name, values]) => {
				const given = isRecord(fields) && fields[name];
				return typeof given === 'string' && given !== '' && !values.includes(given);
			}) ?? [];
		if (field === undefined || !isRecord(fields)) return {};
		const value = String(fields[field]);
		this.asked ??= { field, value, isNew: this.ask(field, value) };
		const isAsked = this.asked.field === field && this.asked.value === value;
		if (!isAsked || !(await this.asked.isNew)) return {};
		const examples = known?.length ? ` Documented are ${known.join(', ')}.` : '';
		const newValue = `No lead had the ${field} "${value}" so far. Check how it is spelled.${examples}`;
		this.hints.add(newValue);
		return { newValue };
	}

	/** False where it is not known: a run asks the service once at most. */
	private async ask(field: string, value: string): Promise<boolean> {
		const newest = this.newest();
		if (newest.records.length > 0) {
			const isWhole = pagesIn(newest) === 1;
			return isWhole && newest.records.every((lead) => field in lead && lead[field] !== value);
		}
		const about = { action: `Look for leads with this ${field}`, scope: 'leads:read', targets: [] };
		const list = { path: '/leads', query: { [field]: value }, about, record: { plural: 'leads' } };
		const page = await pageReader(this.client, list)({ page: 1, limit: 1 }).catch(() => undefined);
		return page?.records.length === 0;
	}
}
