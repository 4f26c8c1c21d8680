/** How many requests are kept; older ones are forgotten. */
const keptRequests = 50_000;

/** Whose key a request came with; `other` is any key that is not one of the three default ones. */
export type KeyLabel = 'full' | 'readOnly' | 'revoked' | 'other' | 'none';

/** A request to the service, without its key. */
export interface LoggedRequest {
	/** Epoch milliseconds. */
	at: number;
	method: string;
	/** As it was sent (encoded), without the API prefix; in full when it is outside the prefix. */
	path: string;
	/** The operation, for example `GET /leads/{leadId}`; `null` = there is no such one. */
	route: string | null;
	/** What stands in the path for the names of its route, decoded. */
	params: Readonly<Record<string, string>>;
	query: Record<string, unknown>;
	key: KeyLabel;
	/** Status of the answer; `null` while there is none, 0 when none was given. */
	status: number | null;
	/** The JSON body of the request, parsed; a text when it is not JSON. */
	body?: unknown;
	/** The kind of the fault that hit it. */
	fault?: string;
}

/** Requests in the order of their arrival, and how many were being answered at once. */
export class RequestLog {
	requests: LoggedRequest[] = [];
	inFlight = 0;
	maxConcurrent = 0;

	begin(request: LoggedRequest): LoggedRequest {
		this.requests.push(request);
		if (this.requests.length > keptRequests) this.requests.shift();
		this.maxConcurrent = Math.max(this.maxConcurrent, ++this.inFlight);
		return request;
	}

	end(): void {
		this.inFlight--;
	}

	clear(): void {
		this.requests = [];
		this.maxConcurrent = this.inFlight;
	}
}
