import { createWorkerThread } from '../../../platform/worker-thread.ts';
import { createFairLimiter } from '../../../shared/fair-limiter.ts';
import type { PosterContent } from './poster-document.ts';

/** Per process: one poster is drawn while another is read. */
const CONCURRENCY = 2;

const MAX_WAITING = 8;

/** Far above the time of one poster, module loading included. */
const TIMEOUT_MS = 20_000;

export interface PosterDrawer {
  /** Draw what `read` returns, once it is the account's turn. @throws BUSY, RATE_LIMITED, and as `read` */
  draw<Poster extends { content: PosterContent }>(
    accountId: string,
    read: () => Promise<Poster>,
  ): Promise<Poster & { pdf: Buffer }>;
  close(): Promise<void>;
}

export function createPosterDrawer(): PosterDrawer {
  const limiter = createFairLimiter({
    concurrency: CONCURRENCY,
    maxQueued: MAX_WAITING,
    maxQueuedPerKey: MAX_WAITING,
  });
  const thread = createWorkerThread<PosterContent, Uint8Array>(
    './draw-poster.thread',
    import.meta.url,
    TIMEOUT_MS,
  );
  return {
    draw: (accountId, read) =>
      limiter(accountId, async () => {
        const poster = await read();
        return { ...poster, pdf: Buffer.from(await thread.run(poster.content)) };
      }),
    close: () => thread.close(),
  };
}
