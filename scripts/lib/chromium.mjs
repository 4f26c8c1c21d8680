import { existsSync } from 'node:fs';

const USUAL_PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser to drive, or undefined. CHROMIUM_PATH says where one is that we do not find. */
export const findChromium = () =>
	process.env.CHROMIUM_PATH || USUAL_PLACES.find((path) => existsSync(path));
