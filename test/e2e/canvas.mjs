/** The canvas of each example that the README shows, after one click has run it if it needs no account of its user. */
import { existsSync } from 'node:fs';

import {
	exampleFiles,
	needsOf,
	readExample,
	toChoose,
	withCredential,
} from '../../scripts/lib/examples.mjs';
import { fromRoot } from '../../scripts/lib/repository.mjs';
import { inEditor } from './editor.mjs';

export const needsBrowser = true;

/** So that the names of the nodes can be read in the longest example. */
const WIDE = { width: 2000, height: 1500 };
/** As most people see it; the picture that each case ends with. */
const SCREEN = { width: 1440, height: 900 };

export const cases = exampleFiles
	.filter((file) => existsSync(fromRoot('docs', 'images', `${file}.png`)))
	.map((file) => {
		const example = readExample(file);
		const runs = !toChoose(example);
		const drawn = inEditor(
			`"${example.name}" ${runs ? 'runs with one click' : 'is drawn'}`,
			`canvas-${file}`,
			async (editor, world) => {
				const { id } = await world.client.createWorkflow(withCredential(example, world.credential));
				await editor.useTheme('light');
				await editor.page.setViewportSize(WIDE);
				await editor.open(`/workflow/${id}`);
				if (runs) await editor.executeWorkflow();
				await editor.canvasPicture(file);
				await editor.page.setViewportSize(SCREEN);
				await editor.fitCanvas();
			},
		);
		return { ...drawn, needs: needsOf(example) };
	});
