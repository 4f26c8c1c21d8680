/**
 * The examples that the README shows, as their user meets them: pasted on an empty canvas, and run with one click if they
 * need no account of their user. Also makes their pictures.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';

import {
	exampleFiles,
	readExample,
	missingChoice,
	withCredential,
} from '../../scripts/lib/examples.mts';
import { fromRoot } from '../../scripts/lib/repository.mts';
import { inEditor } from './editor.mts';

export const needsBrowser = true;

/** So that the names of the nodes can be read in the longest example. */
const WIDE = { width: 2000, height: 1500 };
/** As most people see it; the picture that each case ends with. */
const SCREEN = { width: 1440, height: 900 };

const isShown = (file: string) => existsSync(fromRoot('docs', 'images', `${file}.png`));

export const cases = exampleFiles.filter(isShown).map((file) => {
	const example = readExample(file);
	const runs = !missingChoice(example);
	return inEditor(
		`"${example.name}" is imported by pasting it${runs ? ', and runs with one click' : ''}`,
		`canvas-${file}`,
		async (editor, { credential }) => {
			await editor.useTheme('light');
			await editor.page.setViewportSize(WIDE);
			await editor.open('/workflow/new');
			await editor.paste(JSON.stringify(withCredential(example, credential)));
			const notes = example.nodes.filter(({ type }) => type.endsWith('.stickyNote'));
			const nodes = editor.element('canvas-node');
			await nodes.nth(example.nodes.length - notes.length - 1).waitFor();
			assert.equal(await nodes.count(), example.nodes.length - notes.length);
			if (runs) await editor.executeWorkflow();
			await editor.unselect();
			await editor.canvasPicture(file);
			await editor.page.setViewportSize(SCREEN);
			await editor.fitCanvas();
		},
	);
});
