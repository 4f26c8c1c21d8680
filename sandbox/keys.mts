import { allScopes } from '../openapi.mts';
import { Failure } from './failure.mts';

/** The keys every sandbox starts with: both prefix families of spec part 5, and a revoked one. */
export const defaultKeys = {
	full: 'sk_test_full_0123456789abcdef',
	readOnly: 'acme_test_readonly_0123456789abcdef',
	revoked: 'sk_test_revoked_0123456789abcdef',
} as const;

/** An API key. `name` replaces it wherever the key itself should not be seen. */
export interface ApiKey {
	readonly key: string;
	readonly name: string;
	readonly scopes: readonly string[];
	readonly revoked?: boolean;
}

/** The keys the service knows. */
export class Keyring {
	private keys = new Map<string, ApiKey>();

	constructor() {
		this.reset();
	}

	/** Back to the default keys. */
	reset(): void {
		this.keys.clear();
		const { full, readOnly, revoked } = defaultKeys;
		const readScopes = allScopes.filter((scope) => scope.endsWith(':read'));
		this.add({ key: full, name: 'full', scopes: allScopes });
		this.add({ key: readOnly, name: 'readOnly', scopes: readScopes });
		this.add({ key: revoked, name: 'revoked', scopes: allScopes, revoked: true });
	}

	/** Adds a key; without a name or a value it gets `key-4`, `key-5` and so on. */
	add(given: Partial<ApiKey> & Pick<ApiKey, 'scopes'>): ApiKey {
		const { name = `key-${this.keys.size + 1}`, key = `sk_test_${name}_0123456789abcdef` } = given;
		const apiKey = { ...given, key, name };
		this.keys.set(key, apiKey);
		return apiKey;
	}

	/** All keys there are. */
	list(): ApiKey[] {
		return [...this.keys.values()];
	}

	/** The key that an Authorization header presents, if the service knows it. */
	find(authorization: string | undefined): ApiKey | undefined {
		const [, presented] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
		return this.keys.get(presented ?? '');
	}
}

/** Throws 401 or 403 (spec part 5) unless the key may do what needs this scope. */
export function checkAccess(apiKey: ApiKey | undefined, scope: string | undefined): void {
	if (!apiKey) throw new Failure(401, 'UNAUTHORIZED', 'API key missing or invalid');
	if (apiKey.revoked) throw new Failure(403, 'API_KEY_REVOKED', 'This API key has been revoked');
	if (scope && !apiKey.scopes.includes(scope)) {
		throw new Failure(403, 'FORBIDDEN', `This API key lacks the scope ${scope}`);
	}
}
