import { parseArgs } from 'node:util';
import { apiPrefix } from './routes.mts';
import { startSandbox, type Sandbox } from './server.mts';

const usage = `Runs the leads service locally, in memory.

  --port 3100   where it listens
  --seed 1000   how many leads there are at the start
  -q, --quiet   do not show requests
  --help        this text

How it answers, how fast, how often it may be asked and what goes wrong is changed while it runs: GET /_sandbox shows how.`;

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

try {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		options: {
			port: { ...text, default: '3100' },
			seed: { ...text, default: '1000' },
			quiet: { type: 'boolean', short: 'q' },
			help: { type: 'boolean' },
		},
	});
	const [port, seed] = [Number(values.port), Number(values.seed)];
	if (values.help || !(port >= 0 && seed >= 0)) {
		console.log(usage);
	} else {
		const logger = values.quiet ? undefined : console.log;
		const sandbox = await startSandbox({ port, seed, logger });
		console.log(greeting(sandbox));
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.once(signal, () => void sandbox.close());
		}
	}
} catch (error) {
	console.error(`${(error as Error).message}\n\n${usage}`);
	process.exitCode = 1;
}
