import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

import { fromRoot } from './repository.mjs';

const FILE = fromRoot('deploy', 'compose.yaml');

/** `${NAME:-default}` and `${NAME:?message}`, the two forms of variables that the file uses. */
const VARIABLE = /\$\{(\w+):([-?])([^}]*)\}/g;

function withVariables(text, variables) {
	return text.replace(VARIABLE, (_, name, form, rest) => {
		if (variables[name]) return variables[name];
		if (form === '-') return rest;
		throw new Error(`deploy/compose.yaml needs ${name}: ${rest}`);
	});
}

/** The file as `docker compose` reads it, before variables are replaced. */
export const readCompose = () => parse(readFileSync(FILE, 'utf8'), { merge: true });

/**
 * How a service of the file runs.
 * @param {string} name such as `worker`
 * @param {Record<string, string>} variables the file's variables, such as `POSTGRES_PASSWORD`
 * @returns {{command: string[], settings: Record<string, string>, replicas: number}} `settings`: environment variables
 */
export function composeService(name, variables) {
	const { command, environment, deploy } = readCompose().services[name];
	const settings = Object.entries(environment).map(([key, value]) => [
		key,
		withVariables(String(value), variables),
	]);
	return { command, settings: Object.fromEntries(settings), replicas: deploy?.replicas ?? 1 };
}
