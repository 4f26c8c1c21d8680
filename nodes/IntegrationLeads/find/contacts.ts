/** Reads each contact once in a run, since leads do not show the phones of theirs (spec 2). */
import type { Client } from '../transport/send';
import type { ServiceRecord } from '../values/json';

interface Remembered {
	contact: Promise<ServiceRecord | undefined>;
	/** How many writes of the run had ended when it was read. */
	writes: number;
}

/** Each contact is read once, until the run writes anything: a lead that is sent may change its contact as well. */
export class ContactMemory {
	private readonly remembered = new Map<string, Remembered>();

	constructor(private readonly client: Pick<Client, 'writes'>) {}

	/**
	 * Returns the contact at a path, undefined for one that does not exist. No failure is remembered: an outage may be over when the
	 * item is tried again.
	 *
	 * @param isFresh whether it must be read now, because it is written next
	 */
	async read(
		path: string,
		read: () => Promise<ServiceRecord | undefined>,
		isFresh = false,
	): Promise<ServiceRecord | undefined> {
		const { writes } = this.client;
		const known = this.remembered.get(path);
		if (known?.writes === writes && !isFresh) return await known.contact;
		const entry = { contact: read(), writes };
		this.remembered.set(path, entry);
		return await entry.contact.catch((reason: unknown) => {
			if (this.remembered.get(path) === entry) this.remembered.delete(path);
			throw reason;
		});
	}
}
