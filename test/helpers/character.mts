import fc from 'fast-check';

/** Any character of Unicode but halves of pairs. fast-check's own `binary` is the same after a second of preparation. */
export const character = fc
	.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));
