import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export function median(numbers) {
	const sorted = [...numbers].sort((a, b) => a - b);
	return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** The median of each figure of these rounds. */
export const medians = (rounds) =>
	Object.fromEntries(
		Object.keys(rounds[0]).map((name) => [name, median(rounds.map((round) => round[name]))]),
	);

const seconds = (number) => `${number.toFixed(2)} s`;
const whole = (number) => (number === undefined ? '' : Math.round(number).toLocaleString('en-US'));
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
const ratio = (ours, other) => (ours / other).toFixed(2);

/** One way: what it took, and what ours took in proportion to it. */
const speedRow =
	(name, ours) =>
	([way, figures]) => {
		const isOurs = figures === ours;
		return [
			isOurs ? name : '',
			figures.stopped ? `${way} (the workflow stopped)` : way,
			seconds(figures.wall),
			isOurs ? '' : ratio(ours.wall, figures.wall),
			seconds(figures.cpu),
			isOurs ? '' : ratio(ours.cpu, figures.cpu),
			whole(figures.requests),
			whole(figures.lost),
			whole(figures.repeated),
			whole(figures.longestMs),
		];
	};

/**
 * @param {Array<{name: string, ways: Record<string, object>}>} results the first way of each is ours
 * @returns {string[][]} the first row is the head
 */
export const speedTable = (results) => [
	[
		'',
		'With',
		'Wall',
		'Wall ratio',
		'CPU',
		'CPU ratio',
		'Requests',
		'Lost',
		'Repeated',
		'Blocked, ms',
	],
	...results.flatMap(({ name, ways }) =>
		Object.entries(ways).map(speedRow(name, Object.values(ways)[0])),
	),
];

/** What the heap held at most, against what the items take; as {@link speedTable}. */
export const memoryTable = (results) => [
	['', 'With', 'Peak', 'The items alone', 'Ratio'],
	...results.flatMap(({ name, ways }) =>
		Object.entries(ways).map(([way, { peak, own }]) => [
			name,
			way,
			megabytes(peak),
			megabytes(own),
			ratio(peak, own),
		]),
	),
];

/** As {@link speedTable}: what a poll takes. @param {Record<string, object>} ways ours first */
export const watchingTable = (ways) => [
	['Watching, for each poll', 'Wall', 'CPU', 'Requests', 'State', 'Lost'],
	...Object.entries(ways).map(([way, { wall, cpu, requests, stateBytes, lost }]) => [
		way,
		seconds(wall),
		seconds(cpu),
		whole(requests),
		`${Math.round(stateBytes / 1000)} kB`,
		whole(lost),
	]),
];

/** @param {Record<string, {wall: number, cpu: number}>} panels milliseconds by node, ours first */
export const panelTable = (panels) => [
	['Opening the panel of', 'Milliseconds', 'Ratio', 'CPU', 'Ratio'],
	...Object.entries(panels).map(([name, { wall, cpu }], index) => {
		const [ours] = Object.values(panels);
		const ratios = [ratio(ours.wall, wall), ratio(ours.cpu, cpu)];
		return [
			name,
			whole(wall),
			index === 0 ? '' : ratios[0],
			whole(cpu),
			index === 0 ? '' : ratios[1],
		];
	}),
];

/** The kind of machine, as far as it explains the figures. */
export const machine = ({ n8n, node }) =>
	`${availableParallelism()} cores, n8n ${n8n}, Node ${node}`;

/**
 * Starts to count how much of its CPU time a virtual machine does not get, because its host is busy with others.
 * @returns {() => string} what it was since then, such as `3 %`
 */
export function countStolen() {
	const begun = cpuTimes();
	return () => {
		const passed = cpuTimes().map((time, n) => time - begun[n]);
		const all = passed.reduce((sum, time) => sum + time, 0);
		return `${Math.round((100 * passed[STOLEN]) / all)} %`;
	};
}

/** user, nice, system, idle, iowait, irq, softirq, steal; see proc_stat(5). */
const STOLEN = 7;
const cpuTimes = () =>
	readFileSync('/proc/stat', 'utf8')
		.split('\n', 1)[0]
		.split(/\s+/)
		.slice(1, STOLEN + 2)
		.map(Number);
