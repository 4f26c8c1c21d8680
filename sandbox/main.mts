import { readCommand, usage, UsageError } from './cli.mts';
import { apiPrefix } from './routes.mts';
import { startSandbox, type Sandbox } from './server.mts';

function greeting({ url, keys }: Sandbox): string {
	const api = url + apiPrefix;
	const authorization = `-H 'Authorization: Bearer ${keys.full}'`;
	return `The leads service listens at ${url} (Ctrl-C stops it). Open that address in a browser to see what is in it.

  API key with all scopes   ${keys.full}
  API key that only reads   ${keys.readOnly}
  API key that is revoked   ${keys.revoked}

Try:
  curl ${authorization} '${api}/leads?limit=2'
  curl ${authorization} -H 'Content-Type: application/json' \\
    -d '{"externalId": "order-1", "contact": {"name": "Contact A"}}' ${api}/leads
  curl ${url}/_sandbox
`;
}

function explain(error: unknown, port = 0): string {
	const { code, message } = error as NodeJS.ErrnoException;
	if (error instanceof UsageError) return message;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use. Stop what runs there, or choose another: --port ${port + 1}`;
	}
	if (code === 'EACCES') return `Port ${port} is not allowed. Choose one above 1023: --port 3100`;
	return message;
}

let port: number | undefined;
try {
	const { help, quiet, options } = readCommand(process.argv.slice(2));
	port = options.port;
	if (help) {
		console.log(usage);
	} else {
		const sandbox = await startSandbox({ ...options, logger: quiet ? undefined : console.log });
		console.log(greeting(sandbox));
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.once(signal, () => void sandbox.close());
		}
	}
} catch (error) {
	console.error(explain(error, port));
	process.exitCode = 1;
}
