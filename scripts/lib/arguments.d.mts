import type { parseArgs, ParseArgsConfig } from 'node:util';

export function readArguments<T extends ParseArgsConfig>(
	usage: string,
	config: T,
): ReturnType<typeof parseArgs<T>>;
export function wholeNumber(flag: string, text: string, least?: number): number;
