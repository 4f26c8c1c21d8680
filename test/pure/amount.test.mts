/** What is said of amounts that can be read in two ways; test/corpus has how they are written. */
import fc from 'fast-check';
import { attempt } from 'lodash';

import { mapperFields } from '../../nodes/IntegrationLeads/columns/mapping';
import type { Parameter } from '../../nodes/IntegrationLeads/operation';
import { resources } from '../../nodes/IntegrationLeads/resources';
import type { InputError } from '../../nodes/IntegrationLeads/userError';
import { toAmount, toSaleAmount } from '../../nodes/IntegrationLeads/values/amount';
import { toSaleDate, toUtc } from '../../nodes/IntegrationLeads/values/convert';

const convert = (value: unknown, commaDecimals?: boolean) =>
	toAmount(value, { label: 'Value', timezone: 'UTC', commaDecimals });

const TWO_WAYS = /^Write it without thousands separators .* Or set "Default Country Code"/;
it.each<[unknown, boolean | undefined, number | string, RegExp?]>([
	['1.500', true, 1500],
	['1.500', false, 'can be read in two ways: "1.500" is 1500 or 1.5', TWO_WAYS],
	['1,500', true, 'can be read in two ways: "1,500" is 1.5 or 1500', TWO_WAYS],
	['1,500', false, 1500],
	['R$ 1500.50', false, 1500.5],
	['1500.50', true, 1500.5],
	['.5', true, 0.5],
	['1e3', true, 1000],
	['1.500', undefined, 'can be read in two ways: "1.500" is 1500 or 1.5', TWO_WAYS],
	['R$ 1,500', undefined, 'can be read in two ways: "R$ 1,500" is 1.5 or 1500', TWO_WAYS],
	['1,500.50', true, 1500.5],
	['1.500,50', false, 1500.5],
	['1500,5', false, 1500.5],
	['1.500.50', undefined, 'must be a number: "1.500.50"', /1500\.50$/],
	['1.500.50', true, 'must be a number: "1.500.50"'],
	[true, undefined, 'must be a number: true'],
])('%j, with decimal commas: %j: %s', (given, commaDecimals, expected, description = /^/) => {
	const result = attempt(convert, given, commaDecimals) as number | InputError;
	if (typeof result === 'number') return void expect(result).toBe(expected);
	expect(result.message).toBe(`"Value" ${expected}`);
	expect(result.description).toMatch(description);
});

const fields = Object.values(resources).flatMap(({ operations }) =>
	Object.values(operations).flatMap(({ parameters }) =>
		parameters.flatMap((each) => [each, ...((each.options ?? []) as Parameter[])]),
	),
);

it('is typed as text: a number field makes 1.5 of "R$ 1.500,50", and begins with 0', () => {
	const amounts = fields.filter(({ name, field = name }) => /^(saleV|estimatedV)alue$/.test(field));
	expect(amounts.length).toBeGreaterThan(2);
	for (const each of amounts) {
		expect(each).toMatchObject({ type: 'string', default: '' });
		expect([toAmount, toSaleAmount]).toContain(each.convert);
	}
});

// What is typed there as 31/12/2026 becomes the current time or nothing (seen in n8n 2.41, 26 Nov 2026).
it("no field for a date is n8n's date picker", () => {
	expect([...fields, ...mapperFields].filter(({ type }) => type === 'dateTime')).toEqual([]);
	const dates = fields.filter(({ convert: own }) => own && [toUtc, toSaleDate].includes(own));
	expect(dates.length).toBeGreaterThan(5);
	for (const each of dates) expect(each).toMatchObject({ type: 'string', default: '' });
});

it('reads what Intl writes, or asks which of two readings is meant, one of which is it', () => {
	const locale = fc.constantFrom('pt-BR', 'en-US', 'es-AR', 'es-MX', 'pt-PT', 'de-DE', 'en-GB');
	const cents = fc.integer({ min: -1e10, max: 1e10 });
	const digits = fc.constantFrom(0, 2);
	fc.assert(
		fc.property(locale, cents, digits, (name, given, maximumFractionDigits) => {
			const number = maximumFractionDigits === 0 ? Math.round(given / 100) : given / 100;
			const format = { maximumFractionDigits, minimumFractionDigits: maximumFractionDigits };
			const text = new Intl.NumberFormat(name, format).format(number);
			expect(convert(text, !/US|MX|GB/.test(name)) === number).toBe(true);
			if (/^-?\d{1,3}[.,]\d{3}$/.test(text)) expect(() => convert(text)).toThrow(/two ways/);
			else expect(convert(text) === number).toBe(true);
		}),
	);
});
