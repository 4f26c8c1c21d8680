/** The package as npm would publish it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

interface Packed {
	/** Bytes. */
	size: number;
	files: Array<{ path: string }>;
}

export const [packed] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--offline', '--loglevel=error'], {
		cwd: join(__dirname, '../..'),
		encoding: 'utf8',
		// npm is a script there.
		shell: process.platform === 'win32',
	}),
) as Packed[];
