/** Builds the package: `n8n-node build`, codex files, output previews and the generated parts of the documentation. */
const { spawnSync } = require('node:child_process');
const { rm } = require('node:fs/promises');
const gulp = require('gulp');

/** Runs a program of this package and stops the build when it fails. */
function run(command, ...args) {
	// Outside CI the build tool draws spinners, which fill logs.
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

/** Categories and aliases by which n8n finds the nodes. */
function codex() {
	return gulp.src('nodes/**/*.node.json').pipe(gulp.dest('dist/nodes'));
}

/** The build tool copies all pictures, including those of the documentation. */
async function dropPictures() {
	await rm('dist/docs', { recursive: true, force: true });
}

/** Runs after the compiler, since it reads the declarations from dist/. */
async function generate() {
	run('tsx', 'scripts/generate.mjs');
}

/** The linter of openapi.yaml asks the registry for newer versions of itself, but not in CI. */
async function lintOpenapi() {
	run('redocly', 'lint', 'openapi.yaml');
}

exports.lintOpenapi = lintOpenapi;
exports.build = gulp.series(compile, dropPictures, codex, generate);
