/** Recognises events of the services that have no message. Pure. */
import { InputError } from '../userError';
import { shorten } from '../values/json';
import { textOf } from './words';

/**
 * Events without a message of a person, by the beginnings of their names. Any other event might have a message, so it is refused
 * rather than silently ignored.
 *
 * Evolution API: https://doc.evolution-api.com/v2/en/configuration/webhooks; Evolution GO, whose names are those of whatsmeow:
 * https://github.com/EvolutionAPI/evolution-go; WAHA: https://waha.devlike.pro/docs/how-to/events; Z-API:
 * https://developer.z-api.io/en/webhooks/introduction (26 Nov 2026).
 */
const WITHOUT_MESSAGES = {
	'Evolution API':
		/^(?:application|archive|call|chat|connect|contact|creds|disconnect|group|history|instance|joined|label|logged|logout|messages?[._-](?:delete|edit|set|update)|messaging|mute|new|offline|pair|pin|presence|pushname|qr|receipt|remove|send|star|status|temporary|typebot|undecryptable)/,
	WAHA: /^(?:call|chat|contact|engine|event|group|label|message[._-](?:ack|edited|reaction|revoked|waiting)|poll|presence|session|state)/,
	'Z-API': /^(?:chat|connect|delivery|disconnect|messagestatus|presence|status)/,
};

/** @throws InputError for an unknown event, which may have a message */
export function refuseUnknown(service: keyof typeof WITHOUT_MESSAGES, event: unknown): void {
	const name = textOf(event);
	if (WITHOUT_MESSAGES[service].test(name.toLowerCase())) return;
	throw new InputError(
		`"${shorten(name, 60)}" is an event of ${service} that this node does not know`,
		'Nothing was logged. If messages of people come in it, report it to the authors of this node. If not, leave the event out in the settings of the webhook.',
	);
}
