/** Lists the words of events: by which something is gone, and for the sides of a call or a message; data only. */
import { BUYER, CONTAINERS, PERSON, words } from './headings';

/** The last word of an event by which something is gone, or the first of its name: `deletedContact`. */
export const GONE = words(
	'unsubscribe unsubscribed cancel cancelled canceled delete deleted archived bounce bounced cleaned spamreport complained',
);
/** The last word of a name of several: `contact.deletion`, `assinatura_cancelada`. Alone, people write it of what they ask for, or have. */
export const GONE_IN_NAME = words(
	'deletion cancellation archive complaint cancelado excluido deletado eliminado descadastro descadastrado',
);
/** The objects of a webhook that its own event and flags may stand in. */
export const AROUND_EVENT = new Set([...CONTAINERS, ...PERSON, ...BUYER, 'meta']);
/** Keys that say of a record that it is gone. */
export const GONE_FLAG = words('deleted isdeleted archived isarchived intrash');

/** The key that says which way a call or a message went, and its values. In Spanish, `Dirección` is an address as well. */
export const DIRECTION = words('direction direcao direccion');
export const INBOUND = words('in inbound incoming received entrante entrada recebido recibido');
export const OUTBOUND = words('out outbound outgoing sent saliente salida saida enviado');
/** The same as a yes or a no. */
export const FROM_ME = words('fromme');
/** Who it comes from, and whom it goes to. */
export const FROM = words('from caller sender');
export const TO = words('to called callee recipient');
/** Keys that only a call has, in which a user is whoever speaks for the firm. */
export const CALL = words('call duration duracao duracion recording gravacao grabacion');
/** Whose car, animal or flat an item is about, and who sent it. Beside a contact, each works for the firm. */
export const OWNER = words(
	'owner proprietario propietario dono dueno tutor tutora sender remetente remitente',
);
