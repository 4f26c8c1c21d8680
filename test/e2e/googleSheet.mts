import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';

import type { N8nClient } from '../../scripts/lib/rest.mts';
import type { StandInAnswer, StandInRequest } from '../../scripts/lib/stand-ins.mts';
import type { Credential, WorkflowNode } from '../../scripts/lib/workflow.mts';

/** As Google numbers sheets in a document. */
export const SHEET_ID = 7;

type Cells = unknown[][];

/** A sheet in a document. */
interface SheetName {
	document: string;
	title: string;
}

/** What is written: rows to append or from one cell on, or several of those. */
interface Written {
	values: Cells;
	data: Array<{ range: string; values: Cells }>;
}

/**
 * A stand-in of the Google Sheets API with one sheet.
 * https://developers.google.com/workspace/sheets/api/reference/rest
 */
export class GoogleSheet {
	/** Answers instead, if it returns something. */
	instead: (method: string, path: string) => StandInAnswer | undefined = () => undefined;
	/** Its cells; the first row has the headings. */
	readonly rows: Cells;
	readonly #document: string;
	readonly #title: string;

	constructor({ document, title, rows = [] }: SheetName & { rows?: Cells }) {
		this.#document = document;
		this.#title = title;
		this.rows = rows;
	}

	answer = ({ method, path, json }: StandInRequest<Written>): StandInAnswer => {
		const instead = this.instead(method, path);
		if (instead) return instead;
		const [base, range] = decodeURIComponent(path).split('/values/');
		const [, called, call] = /^\/v4\/spreadsheets\/([^/:]+)(\W.*)?$/.exec(base) ?? [];
		assert.equal(called, this.#document);
		if (range?.endsWith(':append')) this.rows.push(...json.values);
		else if (range && method === 'PUT') this.#write(range, json.values);
		else if (call === '/values:batchUpdate') {
			for (const each of json.data) this.#write(each.range, each.values);
		} else if (range) return { body: this.rows.length > 0 ? { values: this.rows } : {} };
		else if (!call) {
			return {
				body: {
					sheets: [{ properties: { sheetId: SHEET_ID, title: this.#title, sheetType: 'GRID' } }],
				},
			};
		}
		return { body: {} };
	};

	/** One entry for each row below the headings, by heading. */
	get records(): Array<Record<string, unknown>> {
		const [headings = [], ...rows] = this.rows;
		return rows.map((row) => Object.fromEntries(headings.map((name, i) => [String(name), row[i]])));
	}

	#write(range: string, values: Cells): void {
		const [, column, row] = /!([A-Z]?)(\d+)/.exec(range) ?? [];
		const first = (column || 'A').charCodeAt(0) - 65;
		for (const [down, cells] of values.entries()) {
			const line = (this.rows[Number(row) - 1 + down] ??= []);
			for (const [right, cell] of cells.entries()) line[first + right] = cell;
		}
	}
}

/** Chooses the sheet in a node of Google Sheets, as its user does. */
export function chooseSheet({ parameters }: WorkflowNode, { document, title }: SheetName): void {
	parameters.documentId = { __rl: true, mode: 'id', value: document };
	parameters.sheetName = { __rl: true, mode: 'name', value: title };
}

/** n8n's credential of a service account, with more fields if they are given. */
export async function serviceAccount(client: N8nClient, more = {}): Promise<Credential> {
	const { privateKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		publicKeyEncoding: { type: 'spki', format: 'pem' },
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	});
	const account = { email: 'tests@example.com', privateKey, region: 'us-central1', ...more };
	return await client.createCredential('Google', 'googleApi', account);
}
