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

it('no top-level name is declared in two files', () => {
	const filesOf = new Map<string, Set<string>>();
	const files = FOLDERS.flatMap((folder) =>
		(readdirSync(join(ROOT, folder), { recursive: true }) as string[])
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);
	for (const file of files) {
		for (const name of topLevelNames(file)) {
			filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
		}
	}
	const shared = [...filesOf].filter(([, places]) => places.size > 1);
	expect(shared.map(([name, places]) => [name, ...places])).toEqual([]);
});
