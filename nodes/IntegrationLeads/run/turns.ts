/** The ends of this many keys are remembered. */
const MOST_REMEMBERED = 10_000;

/** Work that shares a key runs one after another, in the order in which it came. */
export class Turns {
	private readonly lastOfKey = new Map<string, Promise<unknown>>();

	/** How much work has ended. */
	time = 0;

	/** By key, the time at which work last ended. */
	private readonly endOfKey = new Map<string, number>();

	/** Of keys that are not in `endOfKey`, the latest at which their work may have ended. */
	private forgottenAt = 0;

	/** Whether work with one of the keys has ended, or may have, since a `time` of before. */
	hasEndedSince(time: number, keys: string[]): boolean {
		return keys.some((key) => (this.endOfKey.get(key) ?? this.forgottenAt) > time);
	}

	/** Rejects as the work does; what came before may have failed. */
	async take<T>(keys: string[], work: () => Promise<T>): Promise<T> {
		const before = keys.map((key) => this.lastOfKey.get(key));
		const own = Promise.allSettled(before).then(work);
		for (const key of keys) this.lastOfKey.set(key, own);
		try {
			return await own;
		} finally {
			for (const key of keys) if (this.lastOfKey.get(key) === own) this.lastOfKey.delete(key);
			this.noteEnd(keys);
		}
	}

	private noteEnd(keys: string[]): void {
		this.time += 1;
		for (const key of keys) this.endOfKey.set(key, this.time);
		if (this.endOfKey.size <= MOST_REMEMBERED) return;
		this.endOfKey.clear();
		this.forgottenAt = this.time;
	}
}

/**
 * Items of all executions in this process: of eight messages that a person writes at once, each is an execution of its own,
 * and all of them would find no lead and create one.
 */
export const turnsOfProcess = new Turns();
