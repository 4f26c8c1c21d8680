/**
 * An AI agent without a model, for the engine tests: it gets its tool from the engine, says what it was told to say, and
 * outputs what it saw.
 */
import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	ITaskData,
} from 'n8n-workflow';
import type { ZodTypeAny } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

/** What an agent and its tool had to do with each other. */
export interface Conversation {
	/** The tool as the model sees it. */
	tool: { name: string; description: string; schema: IDataObject };
	/** What the model reads when the tool has done its work, or has not. */
	answer: string;
}

/** The parts of LangChain's tool that n8n's agents use. */
interface Tool {
	name: string;
	description: string;
	schema: ZodTypeAny;
	/** The engine can run the node of a tool from n8n 2.1 on. */
	metadata?: { sourceNodeName?: string };
	invoke(said: IDataObject): Promise<string>;
}

/** Agents before version 3, and n8n's MCP server, call the tool by themselves. */
async function invoke(tool: Tool, said: IDataObject): Promise<string> {
	return await tool.invoke(said).catch((error: Error) => error.message);
}

/** Since version 3 the agent requests the run of the tool's node from the engine. */
function request({ metadata }: Tool, input: IDataObject): EngineRequest {
	return {
		actions: [
			{
				actionType: 'ExecutionNodeAction',
				nodeName: metadata!.sourceNodeName!,
				input,
				type: 'ai_tool',
				id: 'call-1',
				metadata: { itemIndex: 0 },
			},
		],
		metadata: {},
	};
}

/** Like buildSteps() of n8n's agent, which turns the engine's result into a message. */
function parseResponse({ actionResponses: [{ data }] }: EngineResponse): string {
	const { data: outputs, error } = data as ITaskData;
	const items = outputs?.ai_tool?.[0]?.map(({ json }) => json) ?? [];
	if (items.length > 0) return JSON.stringify(items);
	return JSON.stringify(error ? { error: error.message, errorType: error.name } : '');
}

async function execute(
	this: IExecuteFunctions,
	response?: EngineResponse,
): Promise<INodeExecutionData[][] | EngineRequest> {
	const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Tool[];
	const said = this.getNodeParameter('said', 0) as IDataObject;
	const asksEngine =
		this.getNodeParameter('way', 0) === 'request' && tool.metadata?.sourceNodeName !== undefined;
	const answered = response?.actionResponses.length;
	if (asksEngine && !answered) return request(tool, said);
	const { name, description } = tool;
	const json = {
		tool: { name, description, schema: zodToJsonSchema(tool.schema) },
		answer: response && answered ? parseResponse(response) : await invoke(tool, said),
	};
	return [[{ json: json as unknown as IDataObject }]];
}

/** A type of node with one input and output, and these parameters. */
export function plainType(
	name: string,
	parameters: string[],
	execute: INodeType['execute'],
	more: Partial<INodeType['description']> = {},
): INodeType {
	const description: INodeType['description'] = {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		properties: parameters.map((each) => ({
			displayName: each,
			name: each,
			type: 'json',
			default: {},
		})),
		...more,
	};
	return { description, execute };
}

export const agent = plainType('agent', ['said', 'way'], execute, {
	inputs: ['main', { type: 'ai_tool' }],
});
