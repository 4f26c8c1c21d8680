/** What comments have to be like. What a file does is said with a verb, and what something is, without a negated noun. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
const files = ['nodes', 'credentials'].flatMap((folder) =>
	(readdirSync(join(ROOT, folder), { recursive: true }) as string[])
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);

/** The comments of a source, each as one line without its marks, and where they begin. */
function commentsIn(file: string): Array<{ text: string; start: number }> {
	const source = readFileSync(join(ROOT, file), 'utf8');
	const scanner = ts.createScanner(
		ts.ScriptTarget.Latest,
		false,
		ts.LanguageVariant.Standard,
		source,
	);
	const comments: Array<{ text: string; start: number }> = [];
	for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
		const isComment =
			token === ts.SyntaxKind.MultiLineCommentTrivia ||
			token === ts.SyntaxKind.SingleLineCommentTrivia;
		if (!isComment) continue;
		const text = scanner.getTokenText().replace(/^\/\*\*?|\*\/$|^\s*\*(?!\/)|^\/\//gm, ' ');
		comments.push({ text: text.replace(/\s+/g, ' ').trim(), start: scanner.getTokenStart() });
	}
	return comments;
}

it('sees the comments', () => {
	expect(files.flatMap(commentsIn).length).toBeGreaterThan(1000);
});

it('the comment at the head of a file begins with a verb in the third person', () => {
	const heads = files.flatMap((file) => {
		const [head] = commentsIn(file);
		return head?.start === 0 ? [`${file}: ${head.text}`] : [];
	});
	const others = heads.filter((head) => !/: [A-Z][a-z]+s [a-zA-Z*]/.test(head));
	expect(others).toEqual([]);
});

// A comparison such as "no longer" is none.
const NEGATED = /(?<!\bthere )\b(?:is|are) no (?!longer|older|newer|later|earlier|more\b)\w+/;

it('no comment says that something is no such thing', () => {
	const negated = files.flatMap((file) =>
		commentsIn(file)
			.map(({ text }) => NEGATED.exec(text)?.[0])
			.filter((words) => words !== undefined)
			.map((words) => `${file}: ${words}`),
	);
	expect(negated).toEqual([]);
});
