import type { StoredAccount } from './account.ts';
import type { StoredAnswers } from './idempotency.ts';
import type { Log } from './log.ts';
import type { EmulatorStore } from './store.ts';

const STATE_FILE_NAME = 'payment-sandbox.json';
const WRITE_DELAY_MS = 300;

export interface StoredState {
  /** The previous base URL, which URLs in the objects start with. */
  base: string;
  account: StoredAccount;
  answers: StoredAnswers;
  unfinished: string[];
}

/** Stores the state of an emulator shortly after each change; in memory only without a store. */
export class StateFile {
  readonly #store: EmulatorStore | null;
  readonly #log: Log;
  readonly #createSnapshot: () => StoredState;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: EmulatorStore | null, log: Log, take: () => StoredState) {
    this.#store = store;
    this.#log = log;
    this.#createSnapshot = take;
  }

  /** Read the state with its URLs moved to the new base; null when absent or invalid. */
  async read(base: string): Promise<StoredState | null> {
    const text = await this.#store?.read(STATE_FILE_NAME);
    if (text === undefined) return null;
    try {
      const { base: before } = JSON.parse(text);
      return JSON.parse(typeof before === 'string' ? text.replaceAll(`"${before}`, `"${base}`) : text);
    } catch (error) {
      this.#log.error(
        { err: error },
        `payments: ${STATE_FILE_NAME} cannot be read, starting with an empty sandbox`,
      );
      return null;
    }
  }

  scheduleWrite(): void {
    if (this.#store === null || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#write();
    }, WRITE_DELAY_MS).unref();
  }

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
