/** A remedy names only what its reader can do: a model and a row see neither the panel nor the workflow. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { toNodeProperties } from '../../nodes/IntegrationLeads/describe';
import { resources } from '../../nodes/IntegrationLeads/resources';
import { labelsNamedIn, panelLabels } from '../helpers/panelLabels.mts';

const FOLDER = join(__dirname, '../../nodes/IntegrationLeads');
const ERROR = /^(?:Input|User|Unconfirmed)Error$/;
const NEEDS_PANEL =
	/From List|By (?:Email|External)|(?:Options|Settings) >|expression|drop-down|credential|workflow|"(?:Update Fields|Specify Lead)"|Using Fields Below|resource "/;

/** What a model or a row gets of an argument: all of a text, and of a remedy what is not for the panel alone. */
function shownWithoutPanel(node: ts.Node | undefined): string[] {
	if (!node) return [];
	if (ts.isCallExpression(node)) {
		return node.expression.getText() === 'joinRemedies'
			? node.arguments.flatMap(shownWithoutPanel)
			: [];
	}
	if (ts.isObjectLiteralExpression(node)) {
		return node.properties.flatMap((each) =>
			each.name?.getText() === 'panel' ? [] : each.getText(),
		);
	}
	if (ts.isConditionalExpression(node)) {
		return [node.whenTrue, node.whenFalse].flatMap(shownWithoutPanel);
	}
	return [node.getText()];
}

function remediesIn(file: string): string[] {
	const text = readFileSync(join(FOLDER, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node) && ERROR.test(node.expression.getText())) {
			found.push(...shownWithoutPanel(node.arguments?.[1]));
		}
		if (
			ts.isCallExpression(node) &&
			/^(?:emptyError|joinRemedies)$/.test(node.expression.getText())
		) {
			found.push(...node.arguments.flatMap(shownWithoutPanel));
		}
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'findHint') {
			found.push(...shownWithoutPanel(node.initializer));
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const remedies = (readdirSync(FOLDER, { recursive: true }) as string[])
	// The trigger is no tool, and its events are no rows.
	.filter((name) => name.endsWith('.ts') && !/^(?:trigger|watch)\b/.test(name))
	.flatMap(remediesIn);

it('sees the remedies', () => {
	expect(remedies.length).toBeGreaterThan(50);
});

it('what needs the panel is said to whoever has it', () => {
	expect(remedies.filter((each) => NEEDS_PANEL.test(each))).toEqual([]);
});

it('no label that only the panel has is said to a model or a row', () => {
	const labels = panelLabels(toNodeProperties(resources));
	expect(labels).toEqual(expect.arrayContaining(['Options', 'Simplify', 'From List']));
	expect(remedies.filter((text) => labelsNamedIn(text, labels).length > 0)).toEqual([]);
});
