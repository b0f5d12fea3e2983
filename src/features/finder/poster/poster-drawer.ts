import { createWorkerThread, type WorkerThread } from '../../../platform/worker-thread.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createFairLimiter } from '../../../shared/fair-limiter.ts';
import type { PosterContent, PosterSymbol } from './poster-document.ts';

/** Per process: one poster is drawn while another is read. */
const CONCURRENCY = 2;

const MAX_WAITING = 8;

/** Far above the time of one poster, module loading included. */
const TIMEOUT_MS = 20_000;

export interface DrawnPoster {
  bytes: Uint8Array;
  /** Where the first symbol is that cannot be decoded as it is printed. */
  unreadable: PosterSymbol['place'] | null;
}

/** What to change, so that each symbol can be decoded. */
const ADVICE = {
  MAIN: 'Print the code alone, in a larger size',
  TEAR_OFF: 'Choose a poster without strips to tear off',
} as const satisfies Record<PosterSymbol['place'], string>;

export interface PosterDrawer {
  /**
   * Draw what `read` returns, once it is the account's turn, and decode each symbol.
   * @throws IMAGE_NOT_SCANNABLE, BUSY, RATE_LIMITED, and as `read`
   */
  draw<Poster extends { content: PosterContent }>(
    accountId: string,
    read: () => Promise<Poster>,
  ): Promise<Poster & { pdf: Buffer }>;
  close(): Promise<void>;
}

export function createPosterDrawer(thread = createPosterThread()): PosterDrawer {
  const limiter = createFairLimiter({
    concurrency: CONCURRENCY,
    maxQueued: MAX_WAITING,
    maxQueuedPerKey: MAX_WAITING,
  });
  return {
    draw: (accountId, read) =>
      limiter(accountId, async () => {
        const poster = await read();
        const { bytes, unreadable } = await thread.run(poster.content);
        if (unreadable !== null)
          throw new ServiceError('IMAGE_NOT_SCANNABLE', {
            detail: `The code could not be decoded from its poster at 300 dpi. ${ADVICE[unreadable]}.`,
          });
        return { ...poster, pdf: Buffer.from(bytes) };
      }),
    close: () => thread.close(),
  };
}

function createPosterThread(): WorkerThread<PosterContent, DrawnPoster> {
  return createWorkerThread('./draw-poster.thread', import.meta.url, TIMEOUT_MS);
}
