/** A scripted language model, with the interface of OpenAI's chat completions. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer that calls a tool. */
export const callTool = (name, said) => ({
	finish: 'tool_calls',
	message: {
		content: null,
		tool_calls: [
			{ id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(said) } },
		],
	},
});

/** An answer in words. */
export const say = (content) => ({ finish: 'stop', message: { content } });

/**
 * @returns its address, `script(...answers)`, which sets the answers to the next requests (an answer may be a
 *   function of the request), `requests()` since then, and `close()`
 */
export async function startModel() {
	let answers = [];
	let requests = [];
	const server = createServer(async (request, response) => {
		const body = JSON.parse((await text(request)) || '{}');
		requests.push(body);
		const next = answers.shift();
		const answer = typeof next === 'function' ? next(body) : next;
		if (!answer || !request.url.endsWith('/chat/completions')) {
			response.writeHead(400).end(JSON.stringify({ error: { message: 'Not in the script' } }));
			return;
		}
		if (body.stream) stream(response, answer);
		else whole(response, answer);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${server.address().port}/v1`,
		script(...toSay) {
			[answers, requests] = [toSay, []];
		},
		requests: () => requests,
		async close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

const ABOUT = { id: 'answer', created: 0, model: 'scripted' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function whole(response, { finish, message }) {
	const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: finish };
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify({ ...ABOUT, object: 'chat.completion', choices: [choice], usage }));
}

function stream(response, { finish, message: { content, tool_calls: calls } }) {
	const delta = {
		role: 'assistant',
		content,
		...(calls && { tool_calls: calls.map((call, index) => ({ index, ...call })) }),
	};
	const chunks = [
		{ choices: [{ index: 0, delta, finish_reason: null }] },
		{ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
	];
	response.setHeader('content-type', 'text/event-stream');
	for (const chunk of chunks) {
		const event = { ...ABOUT, object: 'chat.completion.chunk', ...chunk };
		response.write(`data: ${JSON.stringify(event)}\n\n`);
	}
	response.end('data: [DONE]\n\n');
}
