/** Where package.json says who publishes the package, and what shows that it does not say so yet. */
const FIELDS = {
	'author.name': /\bcontributors$/,
	'author.email': /^n8n-nodes-integration-leads@|@example\./,
	homepage: /\/\/[^/]+\/n8n-nodes-integration-leads\//,
	'repository.url': /\/\/[^/]+\/n8n-nodes-integration-leads\//,
	'bugs.url': /\/\/[^/]+\/n8n-nodes-integration-leads\//,
};

/**
 * The fields that are missing or hold a stand-in, each with its value.
 * @param {Record<string, any>} manifest
 * @returns {Array<{field: string, value: string}>}
 */
export const standInsOf = (manifest) =>
	Object.entries(FIELDS)
		.map(([field, standIn]) => ({
			field,
			value: field.split('.').reduce((inside, name) => inside?.[name], manifest) ?? '',
			standIn,
		}))
		.filter(({ value, standIn }) => value === '' || standIn.test(value))
		.map(({ field, value }) => ({ field, value }));
