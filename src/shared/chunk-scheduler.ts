/** 16 MiB in chunks of 64 KiB. */
const CHUNKS_PER_SHARE = 256;

interface ChunkWaiter {
  remainingChunks: number;
  resume: () => void;
}

/** Streams that wait with a chunk: within their share, and before it. */
const startedWaiters: ChunkWaiter[] = [];
const newWaiters: ChunkWaiter[] = [];
let isRunning = false;

/**
 * Create the scheduler that a large stream awaits before each chunk: one chunk of all streams passes per round of the
 * event loop, so that others wait for one chunk only. A stream keeps a share, so that not all end together.
 */
export function createChunkScheduler(): () => Promise<void> {
  const waiter: ChunkWaiter = { remainingChunks: 0, resume: () => undefined };
  return () =>
    new Promise((resume) => {
      waiter.resume = resume;
      (waiter.remainingChunks > 0 ? startedWaiters : newWaiters).push(waiter);
      if (isRunning) return;
      isRunning = true;
      setImmediate(runNextWaiter);
    });
}

function runNextWaiter(): void {
  const waiter = startedWaiters.shift() ?? newWaiters.shift();
  if (waiter) {
    waiter.remainingChunks = waiter.remainingChunks > 0 ? waiter.remainingChunks - 1 : CHUNKS_PER_SHARE - 1;
    waiter.resume();
  }
  isRunning = startedWaiters.length + newWaiters.length > 0;
  if (isRunning) setImmediate(runNextWaiter);
}
