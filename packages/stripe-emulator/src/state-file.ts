import type { StoredAccount } from './account.ts';
import type { StoredAnswers } from './idempotency.ts';
import type { Log } from './log.ts';
import type { EmulatorStore } from './store.ts';

const STATE_FILE_NAME = 'payment-sandbox.json';
const WRITE_DELAY_MS = 300;

/** All that is kept of a sandbox from one start to the next. */
export interface StoredState {
  /** Where it was reached: addresses in the objects begin with it. */
  base: string;
  account: StoredAccount;
  answers: StoredAnswers;
  unfinished: string[];
}

/** Keeps the state of an emulator in a file of its store, a moment after it changed; in memory alone without one. */
export class StateFile {
  readonly #store: EmulatorStore | null;
  readonly #log: Log;
  readonly #createSnapshot: () => StoredState;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param take the state as it is now */
  constructor(store: EmulatorStore | null, log: Log, take: () => StoredState) {
    this.#store = store;
    this.#log = log;
    this.#createSnapshot = take;
  }

  /** What was kept, with its addresses at the new base; null where there is nothing that can be read. */
  async read(base: string): Promise<StoredState | null> {
    const text = await this.#store?.read(STATE_FILE_NAME);
    if (text === undefined) return null;
    try {
      const { base: before } = JSON.parse(text);
      return JSON.parse(typeof before === 'string' ? text.replaceAll(`"${before}`, `"${base}`) : text);
    } catch (error) {
      this.#log.error({ err: error }, `payments: ${STATE_FILE_NAME} cannot be read, the sandbox begins anew`);
      return null;
    }
  }

  /** Something has changed. */
  scheduleWrite(): void {
    if (this.#store === null || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#write();
    }, WRITE_DELAY_MS).unref();
  }

  /** Writes what has changed and waits for it. */
  async flush(): Promise<void> {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#write();
    }
    await this.#writing;
  }

  #write(): void {
    const store = this.#store;
    if (store === null) return;
    const text = JSON.stringify(this.#createSnapshot());
    this.#writing = this.#writing
      .then(() => store.write(STATE_FILE_NAME, text))
      .catch((error: unknown) =>
        this.#log.error({ err: error }, `payments: ${STATE_FILE_NAME} could not be written`),
      );
  }
}
