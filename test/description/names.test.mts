/** One name, one meaning: what is searched for is found in one place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['nodes', 'credentials'];

/** The names that a file declares outside functions and classes. */
function topLevelNames(file: string): string[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(join(ROOT, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	return source.statements.flatMap((statement) => {
		if (ts.isVariableStatement(statement)) {
			const names = statement.declarationList.declarations.map(({ name }) => name);
			return names.flatMap((name) => (ts.isIdentifier(name) ? [name.text] : []));
		}
		const isNamed =
			ts.isFunctionDeclaration(statement) ||
			ts.isClassDeclaration(statement) ||
			ts.isInterfaceDeclaration(statement) ||
			ts.isTypeAliasDeclaration(statement);
		return isNamed && statement.name ? [statement.name.text] : [];
	});
}

const sourceFiles = (): string[] =>
	FOLDERS.flatMap((folder) =>
		(readdirSync(join(ROOT, folder), { recursive: true }) as string[])
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);

it('no top-level name is declared in two files', () => {
	const filesOf = new Map<string, Set<string>>();
	for (const file of sourceFiles()) {
		for (const name of topLevelNames(file)) {
			filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
		}
	}
	const shared = [...filesOf].filter(([, places]) => places.size > 1);
	expect(shared.map(([name, places]) => [name, ...places])).toEqual([]);
});

/** Words of grammar: as a name, they say nothing of what a value is. */
const GRAMMAR = new Set([
	'own',
	'each',
	'given',
	'about',
	'said',
	'told',
	'how',
	'before',
	'whose',
]);

/** The names of variables, parameters, functions and members that a file declares, with their lines. */
function declaredNames(file: string): Array<[string, string]> {
	const text = readFileSync(join(ROOT, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const names: Array<[string, string]> = [];
	const visit = (node: ts.Node) => {
		const isDeclared =
			ts.isVariableDeclaration(node) ||
			ts.isParameter(node) ||
			ts.isBindingElement(node) ||
			ts.isFunctionDeclaration(node) ||
			ts.isPropertySignature(node) ||
			ts.isPropertyDeclaration(node);
		if (isDeclared && node.name && ts.isIdentifier(node.name)) {
			const { line } = source.getLineAndCharacterOfPosition(node.name.getStart());
			names.push([node.name.text, `${file}:${line + 1}`]);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return names;
}

it('no name is a word of grammar', () => {
	const names = sourceFiles().flatMap(declaredNames);
	expect(names.filter(([name]) => GRAMMAR.has(name))).toEqual([]);
	expect(names.length).toBeGreaterThan(1000);
});
