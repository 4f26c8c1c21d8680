/** A stand-in of npm's registry that has one package: this one, in the versions that were published so far. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { npm } from '../../scripts/lib/npm.mjs';
import { run, temporaryFolder } from '../../scripts/lib/processes.mjs';
import { manifest } from '../../scripts/lib/repository.mjs';

const HOST = 'registry.npmjs.org';
const { name } = manifest;

/**
 * Settings with which npm asks this registry, whatever the user's own configuration says, and leaves no trace of it in
 * the user's cache.
 */
export function npmSettings() {
	const folder = temporaryFolder('npm');
	return {
		npm_config_registry: `https://${HOST}/`,
		npm_config_userconfig: join(folder, 'npmrc'),
		npm_config_cache: join(folder, 'cache'),
	};
}

export class Registry {
	#versions = {};
	#tarballs = new Map();

	/** @param {import('../../scripts/lib/stand-ins.mjs').StandIns} standIns */
	constructor(standIns) {
		standIns.serve(HOST, ({ path }) => this.#answer(decodeURIComponent(path)));
	}

	/** Makes a packed version the latest. */
	publish(tarball, version) {
		const content = readFileSync(tarball);
		const path = `/${name}/-/${name}-${version}.tgz`;
		const hash = (algorithm, encoding) => createHash(algorithm).update(content).digest(encoding);
		const dist = {
			tarball: `https://${HOST}${path}`,
			integrity: `sha512-${hash('sha512', 'base64')}`,
			shasum: hash('sha1', 'hex'),
		};
		this.#versions[version] = { ...manifest, version, _id: `${name}@${version}`, dist };
		this.#tarballs.set(path, content);
	}

	#answer(path) {
		// As long as npm's own registry lets clients keep an answer.
		const headers = { 'cache-control': 'public, max-age=300' };
		const latest = Object.keys(this.#versions).at(-1);
		const body = new Map([
			...this.#tarballs,
			[`/${name}`, { name, 'dist-tags': { latest }, versions: this.#versions }],
			...Object.entries(this.#versions).map(([each, data]) => [`/${name}/${each}`, data]),
			[`/${name}/latest`, this.#versions[latest]],
		]).get(path);
		return body ? { headers, body } : { status: 404, body: { error: 'Not found' } };
	}
}

/**
 * Packs the same package under another version.
 * @param {string} tarball
 * @param {string} version
 * @returns {Promise<string>} path of the new tarball
 */
export async function packAs(tarball, version) {
	const folder = temporaryFolder('version');
	const unpacked = await run('tar', ['-xzf', tarball, '-C', folder]);
	if (unpacked.code !== 0) throw new Error(unpacked.output);
	const file = join(folder, 'package', 'package.json');
	writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }));
	const packed = await npm(['pack', './package', '--json', '--loglevel=error'], { cwd: folder });
	if (packed.code !== 0) throw new Error(packed.output);
	return join(folder, JSON.parse(packed.stdout)[0].filename);
}
