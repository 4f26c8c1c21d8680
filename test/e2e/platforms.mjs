/** Stand-ins for advertising platforms: Meta's Conversions API, and Google Ads behind a Google Sheet. */
import { GoogleSheet } from './googleSheet.mjs';

const DAY_S = 24 * 3600;
export const DATASET = '1234567890';
export const SHEET = { document: 'sheet-of-the-tests', title: 'Conversions' };

/** The error of a request, as Meta's pages show it. https://developers.facebook.com/docs/graph-api/guides/error-handling */
const metaError = (status, error) => ({
	status,
	body: { error: { type: 'OAuthException', fbtrace_id: 'AbCdEfGhIjK', ...error } },
});
const invalid = (subcode, error_user_msg) =>
	metaError(400, {
		message: 'Invalid parameter',
		code: 100,
		error_subcode: subcode,
		error_user_msg,
	});

/**
 * Meta: takes all events of a request or none, and drops an event with the name and ID of one of the last 48 hours.
 * https://developers.facebook.com/docs/marketing-api/conversions-api/using-the-api ("Batch Requests", "Upload Time")
 * https://developers.facebook.com/docs/marketing-api/conversions-api/deduplicate-pixel-and-server-events
 * That page speaks of one event from the pixel and one from the API; two from the API are taken to be the same.
 */
export class Meta {
	/** In seconds; a test moves it. */
	now = 0;
	/** How many events each request had. */
	attempts = [];
	/** The events that are counted. */
	counted = [];
	/** Those sent with a test code, which are not. */
	tested = [];
	/** Answers instead, if it returns something. */
	instead = () => undefined;
	/** Called once when a request is taken and not yet answered. */
	taken = undefined;
	#seen = new Map();

	answer = async ({ method, path, query, json }) => {
		if (method !== 'POST' || path !== `/v25.0/${DATASET}/events`) {
			return metaError(400, {
				message: `Unsupported request: ${method} ${path}`,
				code: 100,
				error_subcode: 33,
			});
		}
		if (query.access_token !== 'meta-token') {
			return metaError(400, { message: 'Invalid OAuth access token', code: 190 });
		}
		const instead = this.instead();
		if (instead) return instead;
		const { data, test_event_code: testCode } = json;
		this.attempts.push(data.length);
		const refused = this.#refusal(data);
		if (refused) return refused;
		for (const event of data) this.#count(event, testCode);
		const taken = this.taken;
		this.taken = undefined;
		await taken?.();
		return { body: { events_received: data.length, messages: [], fbtrace_id: 'AbCdEfGhIjK' } };
	};

	#refusal(data) {
		if (data.length > 1000) return invalid(2804009, 'Too many events in one request');
		const oldest = Date.now() / 1000 - 7 * DAY_S;
		for (const { event_time: time, user_data: user, custom_data: custom } of data) {
			if (time < oldest) return invalid(2804003, 'Event Timestamp Too Old');
			if (!user.em && !user.ph) return invalid(2804050, 'Not enough customer information');
			if (!(custom.value >= 0)) return invalid(2804024, 'The value of a purchase is negative');
		}
		return undefined;
	}

	#count(event, testCode) {
		if (testCode) return void this.tested.push({ ...event, testCode });
		const key = `${event.event_name} ${event.event_id}`;
		const before = this.#seen.get(key);
		if (before === undefined || this.now - before >= 2 * DAY_S) {
			this.counted.push(event);
			this.#seen.set(key, this.now);
		}
	}
}

/**
 * A Google Sheet, and Google Ads, which imports the whole of it and counts the first row of an order ID and a conversion
 * name. https://support.google.com/google-ads/answer/6386790
 */
export class GoogleAds extends GoogleSheet {
	/** The order IDs that Google Ads counts. */
	counted = [];

	/** Google Ads imports the sheet, on its schedule. */
	import() {
		const ids = this.records.map((row) => row['Order ID']);
		this.counted = [...new Set([...this.counted, ...ids])];
	}
}
