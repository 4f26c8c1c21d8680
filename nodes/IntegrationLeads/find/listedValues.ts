/**
 * Spells the status and the priority of a lead as the account does, before they are sent. Their lists are open (spec 2), so the
 * service might take a misspelt one as new, and then the lead is in no list of those that people look at.
 */
import { compact, memoize, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { translatedFrom, knownValuesOf } from '../columns/documented';
import { documentedValues, lead } from '../contract/records';
import type { ListedLookup } from '../prepare/draft';
import { readList } from '../transport/read';
import type { Permissions } from '../transport/permissions';
import type { Client } from '../transport/send';
import { beforeSending, type HintSink, isOutage, UserError } from '../userError';
import { isSameWord } from '../values/words';

/** Accounts with values that their leads were seen to have: these are looked up once as long as n8n runs. */
const seen = new Set<string>();

/** How many leads are read. */
const SAMPLE = 100;

const lookupKeyOf = ({ by, value, word = value }: ListedLookup) => `${by} ${word}`;

const VALUES_UNREAD = {
	scopes: ['leads:read'],
	hint: 'The status and the priority were not compared with those of other leads: to read these, the API key needs the scope "leads:read".',
};

export class ListedValues {
	/**
	 * The value that is sent for one that is not documented. A Portuguese or Spanish word for a documented one, such as `perdido`,
	 * is that one, unless leads of the account have the word. It is spelled as they do, unless they differ among themselves. Another that no lead has is sent, and a hint says so; an agent may
	 * have made it up, and is refused. What the key may not read is sent as it was given.
	 *
	 * @throws UserError naming all known values; ServiceError
	 */
	readonly spell = memoize(
		async (lookup: ListedLookup) =>
			await beforeSending(this.spellNow(lookup)).catch((reason: unknown) => {
				if (isOutage(reason)) this.spell.cache.delete(lookupKeyOf(lookup));
				throw reason;
			}),
		lookupKeyOf,
	);

	constructor(
		private readonly client: Client,
		private readonly permissions: Permissions,
		private readonly hints: HintSink,
		/** Whether a model chooses the values. */
		private readonly isChosenByModel: boolean,
	) {}

	private async spellNow(lookup: ListedLookup): Promise<string> {
		const { by, value, word = value } = lookup;
		const key = `${this.client.account} ${lookupKeyOf(lookup)}`;
		if (seen.has(key)) return word;
		const equal = await this.read(by, { [by]: word, limit: SAMPLE });
		if (!equal) return value;
		if (equal.includes(word)) {
			seen.add(key);
			return word;
		}
		const isSpelling = (text: string) => isSameWord(text, word);
		// The filter of the service may compare every letter.
		const found = equal.some(isSpelling) ? equal : ((await this.read(by, { limit: SAMPLE })) ?? []);
		const [spelled, ...others] = uniq(found.filter(isSpelling));
		const meant = word === value ? translatedFrom(by, word) : value;
		if (spelled === undefined && meant !== undefined) {
			// Of the translations, only some are documented.
			const isDocumented = documentedValues[by].includes(meant);
			return isDocumented ? meant : await this.spell({ by, value: meant });
		}
		if (spelled !== undefined) return others.length > 0 && !this.isChosenByModel ? word : spelled;
		if (this.isChosenByModel) return await this.spellForModel(lookup);
		this.hints.add(
			`No lead had the ${by} "${word}" before. The service may take any word as a new one: if this is a mistake, correct it, also in the leads that have it now. Its documentation names ${documentedValues[by].join(', ')}.`,
		);
		return word;
	}

	private async spellForModel({ by, value }: ListedLookup): Promise<string> {
		const known = uniq([...knownValuesOf(by), ...((await this.read(by, { limit: SAMPLE })) ?? [])]);
		const spelled = known.find((text) => isSameWord(text, value));
		if (spelled !== undefined) return spelled;
		throw new UserError(
			`No lead has the ${by} "${value}"`,
			`Choose one of those that leads have: ${known.join(', ')}.`,
		);
	}

	/** The statuses or priorities of leads; undefined where the key may not read leads. */
	private async read(
		by: ListedLookup['by'],
		{ limit, ...query }: IDataObject & { limit: number },
	): Promise<string[] | undefined> {
		const errorContext = { action: `Compare the ${by}`, scope: 'leads:read', targets: [] };
		const list = { path: '/leads', query, errorContext, record: lead };
		const read = await this.permissions.ifPermitted(
			VALUES_UNREAD,
			async () => await readList(this.client.forItem(false), list, { limit }),
		);
		return read && compact(read.records.map((record) => record[by])).map(String);
	}
}
