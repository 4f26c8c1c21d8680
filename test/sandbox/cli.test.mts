import { readCommand, usage } from '../../sandbox/cli.mts';
import { specVariant } from '../../sandbox/variant.mts';

const defaults = { port: 3100, seed: 1000, rpm: 1000, latencyMs: 0, variant: specVariant };
const given = { port: 0, seed: 5, rpm: 0, latencyMs: 20 };

test('flags are read, and have defaults', () => {
	expect(readCommand([])).toMatchObject({ help: false, quiet: false, options: defaults });
	const flags = '--port 0 --seed 5 --rpm 0 --latency 20 -q --variant status=204,rateHeaders=false';
	const variant = { status: 204, rateHeaders: false };
	const read = { quiet: true, options: { ...given, variant } };
	expect(readCommand(flags.split(' '))).toMatchObject(read);
});

test.each([
	['--bogus', '--help lists the flags'],
	['--port x', '--port takes a whole number'],
	['--port 70000', 'up to 65535'],
	['--variant record=odd', '--variant record'],
	['--variant odd=1', "'odd'"],
])('%s is explained', (args, message) => {
	expect(() => readCommand(args.split(' '))).toThrow(message);
});

test('the help names every flag and variant', () => {
	for (const word of ['--port', '--seed', '--rpm', '--latency', ...Object.keys(specVariant)]) {
		expect(usage).toContain(word);
	}
});
