/** Stand-ins for services on the internet, reached as n8n reaches them: through a proxy, by their real names. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Sends requests from a process that is started with the stand-ins' settings. */
const CODE = `
	import { spawn } from 'node:child_process';
	import { text } from 'node:stream/consumers';
	import { StandIns } from './scripts/lib/stand-ins.mjs';
	const standIns = await StandIns.start();
	standIns.serve('api.example.com', ({ path, json }) => ({ status: 201, body: { path, json } }));
	const client = \`
		const axios = require('axios');
		const { HttpsProxyAgent } = require('https-proxy-agent');
		const httpsAgent = new HttpsProxyAgent(process.env.HTTPS_PROXY);
		const send = (url) => axios.post(url, { a: 1 }, { httpsAgent, proxy: false }).then(
			({ status, data }) => ({ status, data }), ({ message }) => message);
		Promise.all([send('https://api.example.com/v1'), send('https://unknown.example.com/')])
			.then((answers) => console.log(JSON.stringify(answers)));\`;
	const env = { ...process.env, ...standIns.settings };
	const answers = JSON.parse(await text(spawn(process.execPath, ['-e', client], { env }).stdout));
	const requests = standIns.requests.map(({ host, method }) => method + ' ' + host).sort();
	await standIns.stop();
	console.log(JSON.stringify({ answers, requests }));`;

test('a stand-in answers under its real name, and nothing else can be reached', () => {
	const args = ['--input-type=module', '--eval', CODE];
	const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
	expect(JSON.parse(output)).toEqual({
		answers: [
			{ status: 201, data: { path: '/v1', json: { a: 1 } } },
			expect.stringContaining('502'),
		],
		requests: ['CONNECT unknown.example.com', 'POST api.example.com'],
	});
});
