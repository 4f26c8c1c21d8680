/**
 * Loaded by n8n (EXTERNAL_HOOK_FILES). Measures, from the start of the first node whose name begins with "Measured" to
 * the end of the last: wall time, the CPU time of n8n and of its task runner, the CPU time of the longest stretch in which
 * the event loop did not turn, and for a workflow whose name ends with "(memory)" what the heap held. Reports to
 * BENCH_REPORTS_TO when the execution has ended. So with each poll of a trigger whose name begins with "Watched".
 *
 * In JavaScript, and CommonJS, since n8n loads it with `require` into its own process, where nothing compiles it.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { request } = require('node:http');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const { TriggersAndPollers, WorkflowExecute } = require.main.require('n8n-core');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const MEASURED = /^Measured/;
const WATCHED = /^Watched/;
const MEMORY = /\(memory\)$/;
const LOOP_TICK_MS = 5;
/** Each time all garbage is collected. */
const HEAP_TICK_MS = 500;
/** Linux counts in hundredths of a second (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** CPU seconds of the other processes of n8n's group, which are its task runners. */
function childrenCpu() {
	let ticks = 0;
	for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		if (Number(pid) === process.pid) continue;
		let stat;
		try {
			stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		} catch {
			continue; // It has just ended.
		}
		// The name, in parentheses, may contain spaces: state, parent, group follow it.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		if (Number(fields[2]) === process.pid) ticks += Number(fields[11]) + Number(fields[12]);
	}
	return ticks / TICKS_PER_SECOND;
}

function now() {
	const { user, system } = process.cpuUsage();
	return { wall: performance.now() / 1000, cpu: (user + system) / 1e6 + childrenCpu() };
}

/** Milliseconds that the thread of the event loop has computed: those in which it waited for a core are not n8n's. */
function threadCpu() {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}

/** Bytes of what is in use, without garbage. */
function heap() {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

class Span {
	longest = 0;
	peak = 0;

	constructor(withMemory) {
		this.before = heap();
		if (withMemory) this.heapTimer = setInterval(() => this.sampleHeap(), HEAP_TICK_MS);
		this.withMemory = withMemory;
		this.begun = now();
		this.turned = threadCpu();
		this.loopTimer = setInterval(() => this.turn(), LOOP_TICK_MS);
	}

	turn() {
		const at = threadCpu();
		this.longest = Math.max(this.longest, at - this.turned);
		this.turned = at;
	}

	sampleHeap() {
		this.peak = Math.max(this.peak, heap() - this.before);
	}

	/** A measured node has ended; perhaps not the last. */
	mark(output, error) {
		this.turn();
		this.ended = now();
		this.output = output;
		this.error = error;
		if (this.withMemory) this.sampleHeap();
		this.turned = threadCpu();
	}

	figures() {
		clearInterval(this.loopTimer);
		clearInterval(this.heapTimer);
		const items = this.output ?? [];
		return {
			wall: this.ended.wall - this.begun.wall,
			cpu: this.ended.cpu - this.begun.cpu,
			longestMs: this.longest,
			ids: items.map(({ json }) => json.id),
			error: this.error?.message,
			...(this.withMemory && { peak: this.peak, own: sizeOf(items) }),
		};
	}
}

/** What the items take: what is in use after they are gone is the rest. They are taken from n8n, which has ended. */
function sizeOf(items) {
	const before = heap();
	items.length = 0;
	return before - heap();
}

/** @param workflow whose state is measured, too */
function report({ id, staticData }, figures) {
	const stateBytes = Buffer.byteLength(JSON.stringify(staticData ?? {}));
	const body = JSON.stringify({ workflowId: id, stateBytes, ...figures });
	const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
	const sent = request(process.env.BENCH_REPORTS_TO, { method: 'POST', headers });
	// The benchmark has ended.
	sent.on('error', () => {});
	sent.end(body);
}

const spans = new WeakMap();
const { runNode, processRunExecutionData } = WorkflowExecute.prototype;

WorkflowExecute.prototype.runNode = async function (workflow, executionData, ...rest) {
	const { name } = executionData.node;
	if (!MEASURED.test(name)) return await runNode.call(this, workflow, executionData, ...rest);
	const span = spans.get(this) ?? new Span(MEMORY.test(workflow.name));
	spans.set(this, span);
	try {
		const result = await runNode.call(this, workflow, executionData, ...rest);
		span.mark(result.data?.[0]);
		return result;
	} catch (error) {
		span.mark(undefined, error);
		throw error;
	}
};

WorkflowExecute.prototype.processRunExecutionData = function (workflow) {
	const running = processRunExecutionData.call(this, workflow);
	const ended = (error) => {
		// What follows a poll was not to be measured.
		if (Object.keys(workflow.nodes).some((name) => WATCHED.test(name))) return;
		const figures = spans.get(this)?.figures() ?? {
			error: error?.message ?? 'Nothing was measured',
		};
		report(workflow, figures);
	};
	running.then(({ data }) => ended(data.resultData.error), ended);
	return running;
};

const { runPollFunction } = TriggersAndPollers.prototype;

TriggersAndPollers.prototype.runPollFunction = async function (workflow, node, context) {
	if (!WATCHED.test(node.name)) return await runPollFunction.call(this, workflow, node, context);
	const span = new Span(false);
	try {
		const output = await runPollFunction.call(this, workflow, node, context);
		span.mark(output?.[0]);
		return output;
	} catch (error) {
		span.mark(undefined, error);
		throw error;
	} finally {
		report(workflow, span.figures());
	}
};

module.exports = {};
