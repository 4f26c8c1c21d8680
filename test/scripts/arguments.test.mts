/** Every command explains itself, and names a flag that does not exist in words. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { itLong } from '../helpers/long.mts';

const root = join(__dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
/** Those that run a file of ours, not a tool. */
const commands = Object.entries(scripts).flatMap(([name, command]) => {
	const [, file] = /^(?:gulp build && )?(?:node|tsx) (\S+\.m[jt]s)$/.exec(command) ?? [];
	return file ? [{ name, file }] : [];
});

function run(file: string, flag: string) {
	const loader = file.endsWith('.mts') ? ['--import', 'tsx'] : [];
	const { status, stdout, stderr } = spawnSync(process.execPath, [...loader, file, flag], {
		cwd: root,
		encoding: 'utf8',
	});
	return { status, text: stdout + stderr };
}

it('are the commands of package.json', () => {
	expect(commands.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['bench', 'e2e', 'mutate', 'probe', 'sandbox', 'scan', 'soak', 'start']),
	);
});

itLong.each(commands)('npm run $name: --help and --nonsense', ({ file }) => {
	const [help, nonsense] = ['--help', '--nonsense'].map((flag) => run(file, flag));
	expect([help.status, help.text]).toEqual([0, expect.stringMatching(/\S{3}/)]);
	expect(nonsense.status).toBeGreaterThan(0);
	expect(nonsense.text).toContain('--nonsense');
	for (const { text } of [help, nonsense]) expect(text).not.toMatch(/^\s+at /m);
});
