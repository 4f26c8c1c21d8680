/** What we know of a kind of record. Its fields are in openapi.yaml, never required and never dropped. */
export interface RecordShape {
	/** The word for one and for many, as the service's envelopes would name them. */
	singular: string;
	plural: string;
	/** The schema in openapi.yaml with its fields; none for a record that the node builds. */
	schema?: string;
	/** Fields that the node adds. */
	added?: Record<string, 'boolean' | 'number' | 'string'>;
	/** The fields of the simplified output; n8n's guidelines ask for one where a record has more than ten. */
	simplified?: string[];
}
