import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

import { root } from './repository.mjs';

const MAX_KILOBYTES = 175;

/** What users need to run the nodes and to know what they are. */
const ALLOWED = /^(dist\/|package\.json$|README\.md$|LICENSE(\.md)?$|CHANGELOG\.md$)/;
const BUILT_FROM_TESTS = /(^|\/)(test|sandbox|scripts|bench|examples|docs)\//;

/** Text that must not be published. */
const FORBIDDEN_TEXTS = [
	{
		// The home folder in n8n's Docker image is the same for everybody.
		pattern: /(?<![\w/.:-])\/(?!home\/node\/\.n8n)(home|Users|root|tmp|var\/folders)\/[\w.-]+/,
		what: 'an absolute path',
	},
	{ pattern: /file:\/\/\//, what: 'a file URL' },
	// Spec part 5: <prefix>_live_… and <prefix>_test_…; placeholders are shorter than a key.
	{ pattern: /\b[A-Za-z0-9]{2,}_(live|test)_[A-Za-z0-9]{8,}/, what: 'what looks like an API key' },
	{ pattern: /\b(npm|gh[pousr])_[A-Za-z0-9]{30,}/, what: 'what looks like an access token' },
];

/**
 * Checks a packed package as a user would install it.
 * @param {string} tarball
 * @param {string} folder it was unpacked in
 * @returns {Promise<{files: number, kilobytes: number, findings: string[]}>}
 */
export async function inspectTarball(tarball, folder) {
	const findings = [];
	const kilobytes = Math.ceil((await stat(tarball)).size / 1000);
	if (kilobytes >= MAX_KILOBYTES) {
		findings.push(`${basename(tarball)} has ${kilobytes} kB, ${MAX_KILOBYTES} kB are the limit`);
	}

	const files = await filesBelow(folder);
	for (const file of files) {
		if (!ALLOWED.test(file) || BUILT_FROM_TESTS.test(file))
			findings.push(`${file} does not belong`);
		const text = await readFile(join(folder, file), 'utf8');
		for (const { pattern, what } of FORBIDDEN_TEXTS) {
			const found = pattern.exec(text)?.[0];
			if (found) findings.push(`${file} holds ${what}: ${found}`);
		}
		if (text.includes(root)) findings.push(`${file} names the folder it was built in`);
	}

	findings.push(...(await inspectManifest(folder, files)));
	return { files: files.length, kilobytes, findings };
}

async function inspectManifest(folder, files) {
	const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
	const findings = [];
	for (const field of [
		'dependencies',
		'optionalDependencies',
		'bundledDependencies',
		'overrides',
	]) {
		if (field in manifest) findings.push(`package.json has a field "${field}"`);
	}
	const named = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	for (const file of named) {
		if (!files.includes(file)) findings.push(`package.json names ${file}, which is not packed`);
	}
	for (const file of ['README.md', 'LICENSE.md']) {
		if (!files.includes(file)) findings.push(`${file} is missing`);
	}
	return findings;
}

async function filesBelow(folder) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}
