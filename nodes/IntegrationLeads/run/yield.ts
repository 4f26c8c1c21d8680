import { clock } from '../transport/clock';

const LONGEST_MS = 20;

/**
 * For long loops: awaited before each step, the function that this returns lets n8n do other things every 20 ms.
 *
 * @throws from that function, the reason of `signal` once it is aborted
 */
export function yielder(signal?: AbortSignal): () => Promise<void> {
	let since = clock.now();
	return async () => {
		if (clock.now() - since < LONGEST_MS) return;
		await clock.sleep(1, signal);
		since = clock.now();
	};
}
