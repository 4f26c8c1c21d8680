/** The examples with several entrances are run by one click, and their canvas is shown as in the README. */
import { readExamples, withCredential } from '../../scripts/lib/examples.mjs';
import { inEditor } from './editor.mjs';

export const needsBrowser = true;

/** So that the names of the nodes can be read in the longest example. */
const WIDE = { width: 2000, height: 1500 };

export const cases = readExamples()
	.filter(({ name }) => /^(WhatsApp|Spreadsheet)/.test(name))
	.map((example) => {
		const picture = example.name.match(/\w+/g).join('-').toLowerCase();
		return inEditor(
			`"${example.name}" runs with one click`,
			`canvas-${picture}`,
			async (editor, world) => {
				const { id } = await world.client.createWorkflow(withCredential(example, world.credential));
				await editor.page.setViewportSize(WIDE);
				await editor.open(`/workflow/${id}`);
				await editor.executeWorkflow();
				await editor.canvasPicture(`example-${picture}`);
			},
		);
	});
