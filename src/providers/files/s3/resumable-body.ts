import { finished, Readable } from 'node:stream';
import { createFileStoreUnavailableError } from '../store-unavailable-error.ts';

/** In a row, without a byte between them. */
const MAX_BREAKS = 3;

/** Without a byte while one is wanted. All breaks end before the client's connection is closed after 30 s. */
const STALL_TIMEOUT_MS = 8_000;

/**
 * Read a body of known length, and continue where it broke off: the server or what is before it may close a connection
 * at any time, when the client of the service already has the beginning.
 */
export class ResumableBody extends Readable {
  readonly #length: number;
  readonly #openRest: (offset: number) => Promise<Readable>;
  #body: Readable;
  #received = 0;
  #breaks = 0;
  #stallTimer: NodeJS.Timeout | undefined;

  readonly #stallTimeoutMs: number;

  /** @param openRest opens the bytes from an offset on */
  constructor(
    body: Readable,
    length: number,
    openRest: (offset: number) => Promise<Readable>,
    stallTimeoutMs = STALL_TIMEOUT_MS,
  ) {
    super();
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#length = length;
    this.#openRest = openRest;
    this.#body = body;
    this.#forward(body);
  }

  override _read(): void {
    this.#body.resume();
    if (!this.#stallTimer) this.#awaitBytes();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#stallTimer);
    this.#body.destroy();
    done(error);
  }

  #awaitBytes(): void {
    clearTimeout(this.#stallTimer);
    const stop = () => this.#body.destroy(new Error('No bytes arrived.'));
    this.#stallTimer = setTimeout(stop, this.#stallTimeoutMs);
  }

  #stopWaiting(): void {
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
  }

  #forward(body: Readable): void {
    this.#body = body;
    this.#stopWaiting();
    // Otherwise the listener would start it before somebody reads.
    body.pause();
    body.on('data', (chunk: Buffer) => {
      this.#breaks = 0;
      this.#received += chunk.length;
      if (this.push(chunk)) {
        this.#awaitBytes();
        return;
      }
      // A slow reader is no stall.
      body.pause();
      this.#stopWaiting();
    });
    finished(body, { writable: false }, (error) => {
      this.#stopWaiting();
      if (this.destroyed) return;
      if (this.#received >= this.#length) this.push(null);
      else void this.#resume(error ?? new Error('The object ended early.'));
    });
  }

  async #resume(reason: Error): Promise<void> {
    this.#breaks += 1;
    if (this.#breaks >= MAX_BREAKS) {
      this.destroy(createFileStoreUnavailableError(reason));
      return;
    }
    try {
      const body = await this.#openRest(this.#received);
      if (this.destroyed) {
        body.destroy();
        return;
      }
      this.#forward(body);
      this._read();
    } catch (error) {
      this.destroy(error instanceof Error ? error : reason);
    }
  }
}
