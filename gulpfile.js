/** Builds the package: `n8n-node build`, codex files, output previews and the generated parts of the documentation. */
const { spawnSync } = require('node:child_process');
const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const { dirname, join, relative } = require('node:path');
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

/** The same files in a quarter of the time: without the check of types, which `npm run lint` does as well. */
async function transpile() {
	const ts = require('typescript');
	await rm('dist', { recursive: true, force: true });
	const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, __dirname);
	for (const fileName of fileNames) {
		if (!fileName.endsWith('.ts')) continue;
		const built = join('dist', relative(__dirname, fileName)).replace(/\.ts$/, '.js');
		const source = await readFile(fileName, 'utf8');
		await mkdir(dirname(built), { recursive: true });
		await writeFile(built, ts.transpileModule(source, { compilerOptions: options }).outputText);
	}
}

function icons() {
	return gulp.src('icons/*.svg').pipe(gulp.dest('dist/icons'));
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
	run('tsx', 'scripts/generate.mts');
}

/** The linter of openapi.yaml asks the registry for newer versions of itself, but not in CI. */
async function lintOpenapi() {
	run('redocly', 'lint', 'openapi.yaml');
}

exports.lintOpenapi = lintOpenapi;
/** What the tests need. */
exports.transpile = gulp.series(transpile, icons, codex, generate);
exports.build = gulp.series(compile, dropPictures, codex, generate);
