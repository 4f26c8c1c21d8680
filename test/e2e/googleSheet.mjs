import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';

/** As Google numbers sheets in a document. */
export const SHEET_ID = 7;

/**
 * A stand-in of the Google Sheets API with one sheet.
 * https://developers.google.com/workspace/sheets/api/reference/rest
 */
export class GoogleSheet {
	/** Answers instead, if it returns something. @type {(method: string, path: string) => object | undefined} */
	instead = () => undefined;

	/** @param {{document: string, title: string, rows?: unknown[][]}} sheet `rows`: cells; the first row has the headings */
	constructor({ document, title, rows = [] }) {
		Object.assign(this, { document, title, rows });
	}

	answer = ({ method, path, json }) => {
		const instead = this.instead(method, path);
		if (instead) return instead;
		const [base, range] = decodeURIComponent(path).split('/values/');
		const [, called, call] = /^\/v4\/spreadsheets\/([^/:]+)(\W.*)?$/.exec(base);
		assert.equal(called, this.document);
		if (range?.endsWith(':append')) this.rows.push(...json.values);
		else if (method === 'PUT') this.#write(range, json.values);
		else if (call === '/values:batchUpdate') {
			for (const each of json.data) this.#write(each.range, each.values);
		} else if (range) return { body: this.rows.length > 0 ? { values: this.rows } : {} };
		else if (!call) {
			return {
				body: {
					sheets: [{ properties: { sheetId: SHEET_ID, title: this.title, sheetType: 'GRID' } }],
				},
			};
		}
		return { body: {} };
	};

	/** One entry for each row below the headings, by heading. */
	get records() {
		const [headings = [], ...rows] = this.rows;
		return rows.map((row) => Object.fromEntries(headings.map((name, i) => [name, row[i]])));
	}

	#write(range, values) {
		const [, column, row] = /!([A-Z]?)(\d+)/.exec(range);
		const first = (column || 'A').charCodeAt(0) - 65;
		for (const [down, cells] of values.entries()) {
			const line = (this.rows[row - 1 + down] ??= []);
			for (const [right, cell] of cells.entries()) line[first + right] = cell;
		}
	}
}

/** Chooses the sheet in a node of Google Sheets, as its user does. */
export function chooseSheet({ parameters }, { document, title }) {
	parameters.documentId = { __rl: true, mode: 'id', value: document };
	parameters.sheetName = { __rl: true, mode: 'name', value: title };
}

/** n8n's credential of a service account, with more fields if they are given. */
export async function serviceAccount(client, more = {}) {
	const { privateKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		publicKeyEncoding: { type: 'spki', format: 'pem' },
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	});
	const account = { email: 'tests@example.com', privateKey, region: 'us-central1', ...more };
	return await client.createCredential('Google', 'googleApi', account);
}
