import { clock } from '../transport/clock';

const LONGEST_MS = 20;

/** For long loops: awaited before each step, the function that this returns lets n8n do other things every 20 ms. */
export function yielder(): () => Promise<void> {
	// Real time, which that of a test's clock is not.
	let since = Date.now();
	return async () => {
		if (Date.now() - since < LONGEST_MS) return;
		await clock.sleep(1);
		since = Date.now();
	};
}
