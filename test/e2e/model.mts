/** A scripted language model, with the interface of OpenAI's chat completions. */
import { text } from 'node:stream/consumers';

import { serveLoopback } from '../../scripts/lib/loopback.mts';

/** What the model says, and why it ends there. */
export interface ModelAnswer {
	finish: 'stop' | 'tool_calls';
	message: { content: string | null; tool_calls?: object[] };
}
/** What the model is asked: the conversation so far. */
export interface ModelRequest {
	messages: Array<{ content: string }>;
}
/** An answer, or a function that makes it of the request. */
export type Scripted = ModelAnswer | ((request: ModelRequest) => ModelAnswer);

export interface ScriptedModel {
	url: string;
	/** Sets the answers to the next requests. */
	script(...answers: Scripted[]): void;
	close(): void;
}

/** An answer that calls a tool. */
export const callTool = (name: string, said: object): ModelAnswer => ({
	finish: 'tool_calls',
	message: {
		content: null,
		tool_calls: [
			{ id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(said) } },
		],
	},
});

/** An answer in words. */
export const say = (content: string): ModelAnswer => ({ finish: 'stop', message: { content } });

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

export async function startModel(): Promise<ScriptedModel> {
	let answers: Scripted[] = [];
	const { url, close } = await serveLoopback(async (request, response) => {
		const body = JSON.parse((await text(request)) || '{}') as ModelRequest;
		const next = answers.shift();
		const said = typeof next === 'function' ? next(body) : next;
		const choice = said && {
			index: 0,
			message: { role: 'assistant', ...said.message },
			finish_reason: said.finish,
		};
		response.writeHead(choice ? 200 : 400, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify(
				choice
					? { id: 'answer', created: 0, model: 'scripted', choices: [choice], usage: USAGE }
					: { error: { message: 'Not in the script' } },
			),
		);
	});
	return {
		url: `${url}/v1`,
		script(...toSay) {
			answers = toSay;
		},
		close,
	};
}
