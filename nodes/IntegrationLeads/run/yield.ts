import { clock } from '../transport/clock';

const LONGEST_MS = 20;

/** For long loops: awaited before each step, the function that this returns lets n8n do other things every 20 ms. */
export function yielder(): () => Promise<void> {
	let since = clock.now();
	return async () => {
		if (clock.now() - since < LONGEST_MS) return;
		await clock.sleep(1);
		since = clock.now();
	};
}
