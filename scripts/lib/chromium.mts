import { existsSync } from 'node:fs';

const USUAL_PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a browser, or undefined. CHROMIUM_PATH takes precedence. */
export const findChromium = (): string | undefined =>
	process.env.CHROMIUM_PATH || USUAL_PLACES.find((path) => existsSync(path));
