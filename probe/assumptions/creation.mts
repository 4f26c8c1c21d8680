import { after, answered, record, refused, verdict } from '../assumption.mts';
import { idOf, isJson, isSuccess, outcomeOf, recordOf } from '../reply.mts';
import { byWriting, kept } from './writing.mts';

/**
 * What creating a lead does, by the rules of the specification. Rule 2, a protocol that matches, is not
 * tried: the lead of a tracking link is none of the probe's own.
 */
export const creation = byWriting([
	{
		id: 'lead-defaults',
		says: 'A new lead is open, with medium priority',
		stated: '4.3',
		check: record('lead made', ({ status, priority }) =>
			verdict(status === 'open' && priority === 'medium', `${String(status)}, ${String(priority)}`),
		),
	},
	{
		id: 'rule-1-absent',
		says: 'A lead without externalId and protocol is refused',
		stated: '4.3, rule 1',
		check: refused('no reference'),
	},
	{
		id: 'rule-1-unknown',
		says: 'A protocol that matches no lead is refused without externalId',
		stated: '4.3, rule 1',
		check: refused('unknown protocol'),
	},
	{
		id: 'rule-3',
		says: 'A protocol that matches no lead falls back to the externalId',
		stated: '4.3, rule 3',
		check: answered('unknown protocol and externalId', (reply) =>
			verdict(isSuccess(reply), outcomeOf(reply)),
		),
	},
	{
		id: 'rule-4-unknown',
		says: 'createContactIfNotFound: false with an unknown contact answers 404',
		stated: '4.3, rule 4',
		check: refused('unknown contact', 404),
	},
	{
		id: 'rule-4-known',
		says: 'createContactIfNotFound: false with a known email creates the lead, for that contact',
		stated: '4.3, rule 4',
		check: after(
			['made by email'],
			record('lead made', ({ contact }, _, { named }) => {
				const id = isJson(contact) ? idOf(contact) : undefined;
				return verdict(id === idOf(recordOf(named('made by email'))), `contact ${String(id)}`);
			}),
		),
	},
	{
		id: 'rule-5-same',
		says: 'POST with a known externalId updates that lead, and makes no other',
		stated: '4.3, rule 5',
		check: record('lead upserted', (after, _, { named }) => {
			const ids = [named('lead made'), named('same externalId')].map((reply) =>
				idOf(recordOf(reply)),
			);
			const other = ids.find((id) => id !== undefined && id !== after.id);
			return verdict(!other, other ? `also ${other}` : 'the same id');
		}),
	},
	{
		id: 'rule-5-value',
		says: 'POST with a known externalId changes its estimatedValue',
		stated: '4.3, rule 5',
		check: kept('lead upserted', 'estimatedValue', 'same externalId'),
	},
]);
