import fc from 'fast-check';

import { InputError } from '../../nodes/IntegrationLeads/userError';
import { API_PREFIX } from '../../nodes/IntegrationLeads/transport/baseUrl';
import {
	checkedPath,
	encodeSegment,
	requireOneRecord,
} from '../../nodes/IntegrationLeads/transport/path';
import { character } from '../helpers/character.mts';
import { draws } from '../helpers/long.mts';

const words = (text: string) => text.split(' ');

const ids = words('7f9c24e5-2c6b-4d3a-9a57-0f3a8b1c6d2e 42 lead_1 a.b ... ML-AB12 é@x');
const neither = [
	...words('. .. %2e%2e .%252E ../users a/../b a\\.. a%2F.. ..%2Fusers a%255c%252E%2e%5Cb a/./b'),
	...['', ' ', '..;v=1/users', 'a\nb', 'a\u0000b', 'a\u0085b', 'a\ud800b', 'x'.repeat(2001)],
];
const withSlash = words('a/b a..b/..c a\\b / a%2Fb a%255Cb');
const onlyPrintable = words('a?b a#b 100% a%20b');

describe('requireOneRecord', () => {
	it.each([...words('42 lead_1 ML-AB12 all-1 a*b nullable 0 [a] {a todo "a"'), ...onlyPrintable])(
		'takes %j',
		(value) => {
			expect(() => requireOneRecord(value, 'Tag')).not.toThrow();
		},
	);

	it.each([...withSlash, '..%2Fa'])('refuses %j, which may be read as another route', (value) => {
		expect(() => requireOneRecord(value, 'Tag')).toThrow(/^"Tag" contains \/ or \\, which servers/);
	});

	it.each([
		...words('* ** % _ - ? ~ crm-* *-1 ... ALL any None null n/a todos Todas'),
		...words(`[] ["a"] ['a'] "" '' {} {"id":"1"} [{"id":"1"}] {{$json.id}} crm-{{$json.id}}`),
		...[' * ', '[ ]', '" "', '{\n"id": "1"\n}', 'crm-{{ $json.id }}'],
	])('refuses %j, which names none or many', (value) => {
		expect(() => requireOneRecord(value, 'Tag')).toThrow(/^"Tag" does not name one record: "/);
	});
});

describe('encodeSegment', () => {
	it.each(ids)('takes %j as an ID', (value) => {
		expect(encodeSegment(value, 'Lead', false)).toBe(encodeURIComponent(value));
	});

	it.each([...onlyPrintable, ...withSlash])('takes %j as an external ID only', (value) => {
		expect(encodeSegment(value, 'Lead', true)).toBe(encodeURIComponent(value));
		expect(() => encodeSegment(value, 'Lead', false)).toThrow(InputError);
	});

	it.each(neither)('takes %j as neither, and names the field', (value) => {
		for (const printable of [false, true]) {
			expect(() => encodeSegment(value, 'Lead', printable)).toThrow(/^"Lead" /);
		}
	});

	it.each([
		['', '"Lead" is empty'],
		['a\\b', '"Lead" is not an ID: "a\\b"'],
		['a\r\nb', '"Lead" contains a line break or another character that cannot be sent'],
		['x'.repeat(10_000), '"Lead" is too long: 10000 characters'],
		['a/'.repeat(50), `"Lead" is not an ID: "${'a/'.repeat(30)}…"`],
	])('says of %j what is wrong', (value, message) => {
		expect(() => encodeSegment(value, 'Lead', false)).toThrow(message);
	});

	it('is one segment that reads as the value again, whatever is taken', () => {
		const anyText = fc.oneof(
			fc.string({ unit: character }),
			fc.string(),
			fc.constantFrom(...onlyPrintable, ...withSlash),
		);
		fc.assert(
			fc.property(anyText, fc.boolean(), (value, printable) => {
				let segment: string;
				try {
					segment = encodeSegment(value, 'Lead', printable);
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					return;
				}
				const { origin, pathname, search, hash } = new URL(`https://host/leads/${segment}/status`);
				expect([origin, search, hash]).toEqual(['https://host', '', '']);
				const parts = pathname.split('/');
				expect(parts).toHaveLength(4);
				expect(decodeURIComponent(parts[2])).toBe(value);
			}),
		);
	});
});

/** The path as a server sees it behind proxies, each of which decodes it and removes dot segments. */
function seenBehindProxies(path: string, proxies: number): string {
	const decoded = path.replace(/%25|%2e|%2f|%5c|%3b/gi, decodeURIComponent);
	const { pathname } = new URL(decoded.replace(/;[^/\\]*/g, ''), 'https://host');
	return proxies === 0 ? pathname : seenBehindProxies(pathname, proxies - 1);
}

it.each([0, 1, 2, 3])('no value of a path reaches another route behind %d proxies', (proxies) => {
	const part = fc.constantFrom(...words('.. . %2e %252E / %2F \\ %5c ; leads a'));
	const value = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
	fc.assert(
		fc.property(value, (given) => {
			let segment: string;
			try {
				segment = encodeSegment(given, 'Lead', true);
			} catch {
				return;
			}
			expect(seenBehindProxies(`/sync/${segment}`, proxies)).toMatch(/^\/sync\//);
		}),
	);
});

describe('checkedPath', () => {
	const asGiven = words('/leads /contacts/lookup /leads/%41 /leads/%c3%A7 /leads/a:b /leads/...');
	it.each([
		...[...asGiven, `${API_PREFIX}s/leads`].map((path) => [path, path]),
		...words('leads api/v1/integration/leads /api/v1/integration/leads').map((path) => [
			path,
			'/leads',
		]),
		[' /leads ', '/leads'],
		['/leads/a b', '/leads/a%20b'],
		['/leads/ação', '/leads/a%C3%A7%C3%A3o'],
	])('takes %j as %j', (given, path) => {
		expect(checkedPath(given, 'Path')).toBe(path);
	});

	it.each([
		undefined,
		...['', '/le\nads', `/${'x'.repeat(2000)}`, 'HTTP://elsewhere.example', 'file:/etc/passwd'],
		...words('//elsewhere.example/leads /leads//1 /leads?page=2 /leads#x /leads\\.. /leads/100%'),
		...words('/leads/../../../admin /leads/. /leads/%2e%2E/x /leads/.%2e /leads/%252e%252E/x'),
		...words(
			'/leads/..;v=1/x /leads/..%253B/x /leads/%2Fadmin /leads/%5cadmin /leads/%25252Fadmin',
		),
	])('refuses %j', (given) => {
		const refused = /^"Path" is not a path below the base URL: "/;
		expect(() => checkedPath(given, 'Path')).toThrow(refused);
	});

	it('never leads out of the prefix', () => {
		const part = fc.constantFrom(...words('.. . %2e / // %2f \\ leads : @ a % ? #'), ' ', '\t');
		const paths = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
		fc.assert(
			fc.property(paths, (given) => {
				let path: string;
				try {
					path = checkedPath(given, 'Path');
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					return;
				}
				const url = new URL(`https://host${API_PREFIX}${path}`);
				expect(url.href).toBe(`https://host${API_PREFIX}${path}`);
				expect(path).toMatch(/^\//);
			}),
			{ numRuns: draws(500) },
		);
	});
});
