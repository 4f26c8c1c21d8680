/**
 * What `n8n-node build` does not do: the codex files, the output previews and the generated parts of the
 * documentation. `npm run build` runs it all.
 */
const { spawnSync } = require('node:child_process');
const { rm } = require('node:fs/promises');
const gulp = require('gulp');

/** Runs a program of this package and stops the build when it fails. */
function run(command, ...args) {
	// Unless it believes to run in CI, the build tool draws spinners, which fill logs.
	const env = { ...process.env, CI: 'true' };
	const { status } = spawnSync(command, args, {
		stdio: 'inherit',
		env,
		shell: process.platform === 'win32',
	});
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

async function compile() {
	run('n8n-node', 'build');
}

/** Texts, categories and aliases under which n8n finds the nodes. */
function codex() {
	return gulp.src('nodes/**/*.node.json').pipe(gulp.dest('dist/nodes'));
}

/** The build tool copies every picture it finds, those of the documentation too. */
async function dropPictures() {
	await rm('dist/docs', { recursive: true, force: true });
}

/** Reads the declarations from dist/, so it runs after the compiler. */
async function generate() {
	run('node', 'scripts/generate.mjs');
}

exports.build = gulp.series(compile, dropPictures, codex, generate);
