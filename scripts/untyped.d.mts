/** What is used of packages without types. */

declare module 'proper-lockfile' {
	/** Takes a lock, and resolves to a function that releases it. */
	function lock(
		file: string,
		options: { realpath: boolean; stale: number; retries: object },
	): Promise<() => Promise<void>>;
	export default { lock };
}

declare module 'smtp-server' {
	import type { Server } from 'node:net';
	import type { Readable } from 'node:stream';

	export class SMTPServer {
		constructor(options: {
			authOptional: boolean;
			disabledCommands: string[];
			onData(
				stream: Readable,
				session: { envelope: { rcptTo: Array<{ address: string }> } },
				done: (error?: unknown) => void,
			): void;
		});
		readonly server: Server;
		listen(port: number, host: string): void;
		close(closed: () => void): void;
	}
}

declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	import type { Linter } from 'eslint';

	export const SOURCE_FILE_PATTERNS: string[];
	export function buildScanConfig(): Promise<Linter.Config[]>;
}
