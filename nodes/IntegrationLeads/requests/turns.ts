/** Work that shares a key runs one after another, in the order in which it came. */
export class Turns {
	private readonly lastOfKey = new Map<string, Promise<unknown>>();

	/** Rejects as the work does; what came before may have failed. */
	async take<T>(keys: string[], work: () => Promise<T>): Promise<T> {
		const before = keys.map((key) => this.lastOfKey.get(key));
		const own = Promise.allSettled(before).then(work);
		for (const key of keys) this.lastOfKey.set(key, own);
		try {
			return await own;
		} finally {
			for (const key of keys) if (this.lastOfKey.get(key) === own) this.lastOfKey.delete(key);
		}
	}
}

/**
 * Items of all executions in this process: of eight messages that a person writes at once, each is an execution of its own,
 * and all of them would find no lead and create one.
 */
export const turnsOfProcess = new Turns();
