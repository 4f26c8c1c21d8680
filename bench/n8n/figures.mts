import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import lodash from 'lodash';

import type { Figures } from './measure.mts';

export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** The median of each figure of these rounds. */
export const medians = <Round extends object>(rounds: Round[]): Round =>
	lodash.mapValues(rounds[0], (_, name) =>
		median(rounds.map((round) => Number(round[name as keyof Round]))),
	) as Round;

const seconds = (number: number) => `${number.toFixed(2)} s`;
const whole = (number?: number) =>
	number === undefined || Number.isNaN(number) ? '' : Math.round(number).toLocaleString('en-US');
const megabytes = (bytes = 0) => `${Math.round(bytes / 1e6)} MB`;
const ratio = (ours = 0, other = 0) => (ours / other).toFixed(2);

/** One way: what it took, and what ours took in proportion to it. */
const speedRow =
	(name: string, ours: Figures) =>
	([way, figures]: [string, Figures]): string[] => {
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

/** The cells of a table; the first row is the head. */
export type Table = string[][];

/** What ways took for the same; the first is ours. */
export interface Compared {
	name: string;
	ways: Record<string, Figures>;
}

export const speedTable = (results: Compared[]): Table => [
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

/** What the heap held at most, against what the items take. */
export const memoryTable = (results: Compared[]): Table => [
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

/** What a poll takes: seconds, requests, and bytes of state; leads lost in all. */
export interface PollFigures {
	wall: number;
	cpu: number;
	requests: number;
	stateBytes: number;
	lost: number;
}

/** @param ways ours first */
export const watchingTable = (ways: Record<string, PollFigures>): Table => [
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

/** Milliseconds. */
export interface PanelFigures {
	wall: number;
	cpu: number;
}

/** @param panels by node, ours first */
export const panelTable = (panels: Record<string, PanelFigures>): Table => [
	['Opening the panel of', 'Milliseconds', 'Ratio', 'CPU', 'CPU ratio'],
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
export const machine = ({ n8n, node }: { n8n: string; node: string }): string =>
	`${availableParallelism()} cores, n8n ${n8n}, Node ${node}`;

/**
 * Starts to count how much of its CPU time a virtual machine does not get, because its host is busy with others.
 * @returns what it was since then, such as `3 %`
 */
export function countStolen(): () => string {
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
