/** Characters that never leave the node, since a database may refuse the whole request because of one. */
import { cleanText } from '../../nodes/IntegrationLeads/values/clean';

// https://github.com/nano-step/nano-brain/issues/181, https://github.com/apache/devlake/issues/3564 (NUL in Postgres),
// https://github.com/ayunis-core/ayunis-core/pull/1613, https://github.com/elie222/rakazo/issues/416 (half of an emoji)
test.each([
	['Ana\u0000 Souza', 'Ana Souza'],
	['Quer\u0000 comprar', 'Quer comprar'],
	['Ana Souza \ud83d', 'Ana Souza '],
	['\udc00Oi', 'Oi'],
	['a\u0001\u0007\u001b\u007f\u0085\u009fb', 'ab'],
	['Oi 😀 👨‍👩‍👧', 'Oi 😀 👨‍👩‍👧'],
	['one\ttwo\r\nthree', 'one\ttwo\r\nthree'],
	['João, 名前, \u00a0\u200f', 'João, 名前, \u00a0\u200f'],
	['', ''],
])('%j is sent as %j', (text, cleaned) => {
	expect(cleanText(text)).toBe(cleaned);
});
