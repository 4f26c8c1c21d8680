/**
 * Reads all leads with axios, in a process of its own, and prints what it took. Arguments: the path of axios, the base
 * URL, the API key, and how many requests are sent at once.
 */
import { pathToFileURL } from 'node:url';

const [file, baseUrl, apiKey, parallel] = process.argv.slice(2);
/** What is used of axios. */
interface Axios {
	get(url: string, options?: object): Promise<{ data: unknown }>;
}
interface LeadPage {
	leads: Array<{ id: string }>;
	pagination: { totalPages: number };
}

const { default: axios } = (await import(pathToFileURL(file).href)) as { default: Axios };
const WARM_UPS = 5;

async function page(number: number): Promise<LeadPage> {
	const { data } = await axios.get(`${baseUrl}/api/v1/integration/leads`, {
		params: { page: number, limit: 100 },
		headers: { Authorization: `Bearer ${apiKey}` },
	});
	return (data as { data: LeadPage }).data;
}

async function readAll(): Promise<LeadPage['leads']> {
	const first = await page(1);
	const pages = [first.leads];
	let next = 2;
	const reader = async () => {
		while (next <= first.pagination.totalPages) {
			const number = next++;
			pages[number - 1] = (await page(number)).leads;
		}
	};
	await Promise.all(Array.from({ length: Number(parallel) }, reader));
	return pages.flat();
}

// axios itself, with requests that are not counted.
for (let left = WARM_UPS; left > 0; left -= 1) await axios.get(`${baseUrl}/_sandbox/traffic`);
const [begun, cpu] = [performance.now(), process.cpuUsage()];
const leads = await readAll();
const wall = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
const figures = { wall, cpu: (user + system) / 1e6, ids: leads.map(({ id }) => id) };
process.stdout.write(JSON.stringify(figures));
