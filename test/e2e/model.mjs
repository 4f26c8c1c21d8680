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

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/**
 * @returns its address, `script(...answers)`, which sets the answers to the next requests (an answer may be a
 *   function of the request), and `close()`
 */
export async function startModel() {
	let answers = [];
	const server = createServer(async (request, response) => {
		const body = JSON.parse((await text(request)) || '{}');
		const next = answers.shift();
		const { finish, message } = (typeof next === 'function' ? next(body) : next) ?? {};
		const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: finish };
		response.writeHead(message ? 200 : 400, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify(
				message
					? { id: 'answer', created: 0, model: 'scripted', choices: [choice], usage: USAGE }
					: { error: { message: 'Not in the script' } },
			),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${server.address().port}/v1`,
		script(...toSay) {
			answers = toSay;
		},
		async close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
