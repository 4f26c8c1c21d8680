/**
 * The words in which an answer may say yes or no to a lead (spec 4.6 shows none), in English and in Portuguese, and the
 * names of the fields that hold them. All patterns are of names in the form of {@link kebab}.
 */

/** Words of no. */
const NO = `(?:${[
	'errors?|errored|erros?',
	'fail(?:s|ed|ures?)?|falh(?:as?|ou)',
	'invalid|invalid[ao]s?',
	'reject(?:s|ed|ions?)?|rejeitad[ao]s?',
	'refus(?:es?|ed|als?)|recusad[ao]s?',
	'denied|denials?|unsuccessful|unprocess(?:ed|able)',
	'not-(?:be-|been-)?(?:accepted|created|found|imported|linked|processed|saved|updated|valid)',
].join('|')})`;
/** Words of yes. */
const YES = `(?:${[
	'accepted|created|imported|inserted|linked|ok|processed|saved|synced|updated|upserted',
	'succeeded|success(?:es|ful)?',
	'criad[ao]s?|atualizad[ao]s?|sucessos?',
].join('|')})`;
const OF_WHAT =
	'(?:-(?:codes?|count|details?|entries|external-ids?|ids?|items?|leads?|list|messages?|reasons?|records?|results?|rows?|texts?))*';
/** A field of such a name holds what was not taken, why, or how many: `failedLeads`, `validation_errors`. */
export const NAME_OF_NO = new RegExp(
	`(?<!(?:^|-)(?:allow|if|ignore|max|no|on|skip|without)-)(?<![a-z])${NO}${OF_WHAT}$`,
);
/** A field of such a name holds leads that were taken, perhaps as plain external IDs. */
export const NAME_OF_YES = new RegExp(`^${YES}${OF_WHAT}$`);
/** What is in a field of such a name was asked for, and is not what came of it. */
export const NAME_OF_ECHO = /^(?:config|options|param(?:eter)?s|query|request|settings)$/;
/** The entries of such a list are no results in the order sent. */
export const NAME_OF_REMARKS = /^(?:conflicts|details|issues|warnings)$/;
/** A value that says no: `failed`, `VALIDATION_ERROR`, `rejected: no email`. */
const WORD_OF_NO = new RegExp(`(?<!(?:^|-)(?:no|without|0)-)(?<![a-z])${NO}(?![a-z])`, 'g');
/** A value that says yes: `created`, `updated by protocol`. */
const WORD_OF_YES = new RegExp(`^${YES}(?![a-z])`);
/** A sentence that says yes somewhere: `Protocol not found, created by externalId`. */
const YES_INSIDE = new RegExp(`(?<![a-z])${YES}(?![a-z])`);
/** A lead that was left out is refused where there is a reason for it. */
export const LEFT_OUT = /^(?:skipped|ignored)(?:-leads)?$/;
/** What came of it will be known later. */
const WORD_OF_LATER = /^(?:enqueued|in-progress|pending|processing|queued|scheduled)$/;

/** Such a field says yes or no, whatever else is said. */
export const VERDICT_FLAG = /^(?:is-|was-)?(?:success|successful|succeeded|ok)$/;
/** Such a field says no by being false; being true, it does not say that all went well. */
export const STEP_FLAG = /^(?:is-|was-)?(?:accepted|processed|saved|valid)$/;
/** Names of a place in the batch, in the form of {@link squeeze}. */
export const PLACES = /^(?:lead|item)?(?:index|position|row)(?:number)?$/;

/** What a value says by its words, or by an HTTP status. */
export function readWord(text: string): 'no' | 'yes' | 'later' | undefined {
	if (/^[245]\d\d$/.test(text)) return text.startsWith('2') ? 'yes' : 'no';
	const word = kebab(text);
	const rest = word.replace(WORD_OF_NO, '');
	if (rest !== word) {
		// `Protocol not found, created by externalId`: what begins with a no, or gives a reason after a colon, is one.
		const saysBoth = /\s/.test(text) && /^[a-z][^:]*$/.test(rest) && YES_INSIDE.test(rest);
		return saysBoth ? undefined : 'no';
	}
	return WORD_OF_LATER.test(word) ? 'later' : WORD_OF_YES.test(word) ? 'yes' : undefined;
}

/** `failedLeads`, `failed_leads` and `Failed Leads` are one name: `failed-leads`. Accents are left out. */
export function kebab(name: string): string {
	return name
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.replace(/([a-z0-9])([A-Z])/g, '$1-$2')
		.replace(/[_\s]+/g, '-')
		.toLowerCase();
}

/** `externalId`, `external_id`, `External-ID` are one name: `externalid`. */
export function squeeze(name: string): string {
	return kebab(name).replace(/-/g, '');
}
