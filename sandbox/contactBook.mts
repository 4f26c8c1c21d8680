import { Collection } from './collection.mts';
import { emailKey, phoneKey, type Contact } from './records.mts';

type Address = string | null | undefined;

/** The contacts, and who has which address. Several may share one: the first one is found. */
export class ContactBook extends Collection<Contact> {
	private readonly emails = new Map<string, Contact>();
	private readonly phones = new Map<string, Contact>();

	constructor(contacts: Iterable<Contact> = []) {
		super(contacts);
		this.indexAll();
	}

	byEmail(email: Address): Contact | undefined {
		return email ? this.emails.get(emailKey(email)) : undefined;
	}

	byPhone(phone: Address): Contact | undefined {
		return phone ? this.phones.get(phoneKey(phone)) : undefined;
	}

	override add(contact: Contact): Contact {
		this.index(contact);
		return super.add(contact);
	}

	override replace(contact: Contact): Contact {
		super.replace(contact);
		// The address given up may belong to another contact as well, who is found from now on.
		this.indexAll();
		return contact;
	}

	private indexAll(): void {
		this.emails.clear();
		this.phones.clear();
		for (const contact of this.values()) this.index(contact);
	}

	private index(contact: Contact): void {
		const { email, phone } = contact;
		if (email && !this.byEmail(email)) this.emails.set(emailKey(email), contact);
		if (phone && !this.byPhone(phone)) this.phones.set(phoneKey(phone), contact);
	}
}
