import { join } from 'node:path';
import type { ProcessLog } from '../../shared/process-log.ts';
import { readIfThere, writePrivateFile } from '../../start/private-file.ts';
import type { StoredAccount } from './account.ts';
import type { StoredAnswers } from './idempotency.ts';

const FILE = 'payment-sandbox.json';
const DELAY_MS = 300;

/** All that is kept of a sandbox from one start to the next. */
export interface StoredState {
  /** Where it was reached: addresses in the objects begin with it. */
  base: string;
  account: StoredAccount;
  answers: StoredAnswers;
  unfinished: string[];
}

/** Keeps the state of a sandbox in a file of the data folder, a moment after it changed; in memory alone without one. */
export class StateFile {
  readonly #path: string | null;
  readonly #log: ProcessLog;
  readonly #take: () => StoredState;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param take the state as it is now */
  constructor(dataDir: string | null, log: ProcessLog, take: () => StoredState) {
    this.#path = dataDir === null ? null : join(dataDir, FILE);
    this.#log = log;
    this.#take = take;
  }

  /** What was kept, with its addresses at the new base; null where there is nothing that can be read. */
  async read(base: string): Promise<StoredState | null> {
    const text = this.#path === null ? undefined : await readIfThere(this.#path);
    if (text === undefined) return null;
    try {
      const { base: before } = JSON.parse(text);
      return JSON.parse(typeof before === 'string' ? text.replaceAll(`"${before}`, `"${base}`) : text);
    } catch (error) {
      this.#log.error({ err: error }, `payments: ${this.#path} cannot be read, the sandbox begins anew`);
      return null;
    }
  }

  /** Something has changed. */
  changed(): void {
    if (this.#path === null || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#write();
    }, DELAY_MS).unref();
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
    const path = this.#path;
    if (path === null) return;
    const text = JSON.stringify(this.#take());
    this.#writing = this.#writing
      .then(() => writePrivateFile(path, text))
      .catch((error: unknown) => this.#log.error({ err: error }, `payments: ${path} could not be written`));
  }
}
