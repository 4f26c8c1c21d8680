/** A record as the service sent it: unknown fields pass through. */
export type ServiceRecord = Record<string, unknown>;

/** An object that is neither null nor an array. */
export function isRecord(value: unknown): value is ServiceRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Records with an ID can be distinguished. */
export function hasId({ id }: ServiceRecord): boolean {
	return id !== undefined && id !== null;
}

/** Cuts a text to the length that fits a message. */
export function shorten(text: string, longest = 300): string {
	return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
