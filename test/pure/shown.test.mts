/** What the other rows of a column show of a value that can be read in two ways. */
import { attempt, isError } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { toMappedLead } from '../../nodes/IntegrationLeads/columns/columns';
import { toSaleOfRow } from '../../nodes/IntegrationLeads/columns/saleRow';
import { parseConventions } from '../../nodes/IntegrationLeads/values/context';

/** What is sent of each row of one column, and why it is refused or left out. */
function read(heading: string, values: unknown[], country: string, isSale = false) {
	const inputs = values.map((value, n) => ({
		Email: `${n}@example.com`,
		[heading]: value,
	})) as IDataObject[];
	return inputs.map((input) => {
		let leftOut: string | undefined;
		const context = {
			...parseConventions(country),
			...{ label: 'Fields', timezone: 'UTC', input, inputs },
			onLeftOut: (_: string, reason: string) => (leftOut = reason),
		};
		const lead = attempt(() =>
			isSale
				? toSaleOfRow('columns', context)
				: toMappedLead({ mappingMode: 'autoMapInputData' }, context),
		) as IDataObject | Error;
		if (isError(lead)) return lead.message;
		const { estimatedValue, saleDate, externalId } = lead as {
			estimatedValue?: number;
			saleDate?: string;
			externalId?: string;
		};
		return leftOut ?? saleDate?.slice(0, 10) ?? estimatedValue ?? externalId;
	});
}

const TWO_WAYS = expect.stringContaining('can be read in two ways') as string;
const OTHER_CURRENCY = expect.stringContaining('in another currency') as string;
const NOT_REAIS = expect.stringContaining('is not an amount in reais') as string;

const NO_ID = expect.stringContaining('is no ID, unlike those of other rows') as string;

it.each<[string, string, unknown[], unknown[]]>([
	['55', 'External ID', ['crm-1', 'novo', 'Cliente novo'], ['crm-1', NO_ID, NO_ID]],
	['55', 'ID externo', ['crm-1', 'crm-dino', 'ana.souza'], ['crm-1', 'crm-dino', 'ana.souza']],
	['55', 'External ID', ['nova', 'dino'], ['nova', 'dino']],
	['55', 'Estimated Value', ['12,345.67', '9,500'], [12345.67, 9500]],
	['55', 'Valor', ['1,234,567', '9,500'], [1234567, 9500]],
	['34', 'Importe', ['250.00', '9,500'], [250, 9500]],
	['1', 'Deal value', ['1.345,67', '9.500'], [1345.67, 9500]],
	['', 'Valor', ['1.345,67', '9.500'], [1345.67, 9500]],
	// Hardly money: three decimals.
	['55', 'Valor', ['1.345,67', '9,500', '9.500'], [1345.67, TWO_WAYS, 9500]],
	['55', 'Valor', ['9,500', 1500.5, 'a combinar'], [TWO_WAYS, 1500.5, undefined]],
	['55', 'Valor', ['99.90', '9.500'], [99.9, TWO_WAYS]],
	['1', 'Value', ['99,90', '9,500'], [99.9, TWO_WAYS]],
	// Rows that contradict each other.
	['55', 'Valor', ['1.345,67', '12,345.67', '9,500', '50'], [1345.67, 12345.67, TWO_WAYS, 50]],
	['55', 'Sale Date', ['11/13/2026', '11/03/2026'], ['2026-11-13', '2026-11-03']],
	['55', 'Data da venda', ['11-13-2026 10:00', '11-03-2026'], ['2026-11-13', '2026-11-03']],
	['1', 'Fecha de venta', ['13/11/2026', '11/03/2026'], ['2026-11-13', '2026-03-11']],
	['', 'Data da venda', ['13.11.26', '11.03.26'], ['2026-11-13', '2026-03-11']],
	[
		'55',
		'Data da venda',
		['11/13/2026', '13/11/2026', '11/03/2026'],
		['2026-11-13', '2026-11-13', TWO_WAYS],
	],
	['55', 'Importe', ['1.250,75 €', '300', '$ 300'], [NOT_REAIS, OTHER_CURRENCY, OTHER_CURRENCY]],
	['55', 'Valor', ['US$ 100', 300], [NOT_REAIS, OTHER_CURRENCY]],
	['55', 'Monto', ['1.200 MXN', '300'], [NOT_REAIS, OTHER_CURRENCY]],
	['55', 'Valor', ['R$ 100', '100 euros', '300'], [100, NOT_REAIS, 300]],
])('country code %j, column %s: %j', (country, heading, values, expected) => {
	expect(read(heading, values, country)).toEqual(expected);
});

test('rows of sales are read in the same way', () => {
	expect(read('Total', ['12,345.67', '9,500'], '55', true)).toEqual([12345.67, 9500]);
	expect(read('Order date', ['11/25/2026', '11/03/2026'], '55', true)).toEqual([
		...['2026-11-25', '2026-11-03'],
	]);
	expect(read('Total', ['12,00 €', '9'], '55', true)).toEqual([NOT_REAIS, OTHER_CURRENCY]);
});

test('a message names what contradicts the value', () => {
	const inputs = ['1.345,67', '12,345.67', '9,500'].map((Valor) => ({ Email: 'a@b.co', Valor }));
	const context = {
		...parseConventions('55'),
		...{ label: 'Fields', timezone: 'UTC', input: inputs[2], inputs },
	};
	expect(attempt(() => toMappedLead({ mappingMode: 'autoMapInputData' }, context))).toMatchObject({
		description: expect.stringContaining('it has "1.345,67" and "12,345.67" as well') as string,
	});
});
