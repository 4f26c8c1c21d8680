import { deburr } from 'lodash';

/** Whether two names differ at most in case, accents, spaces, invisible characters, underscores and hyphens. */
export function isSameWord(...names: [unknown, unknown]): boolean {
	const [one, other] = names.map((name) =>
		deburr(String(name))
			.toLowerCase()
			.replace(/[\s\p{Cf}_-]/gu, ''),
	);
	return one === other;
}
