/** Pieces that one content moves before another has its turn, while both have one to move: 16 MiB of 64 KiB each. */
const CHUNKS_PER_TURN = 256;

interface ChunkWaiter {
  /** Pieces that are left of its turn. */
  remainingChunks: number;
  resume: () => void;
}

/** Those that wait with a piece: in the middle of their turn, and before it. */
const startedWaiters: ChunkWaiter[] = [];
const newWaiters: ChunkWaiter[] = [];
let isRunning = false;

/**
 * What a large content asks before each of its pieces. One piece of all contents together is let through in a round of the
 * event loop, so that a hundred of them hold up everybody else by one piece and not by a hundred; and one content goes on
 * for a while, so that not all of them end at once. Who has no piece to move yet keeps nobody waiting.
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
    waiter.remainingChunks = waiter.remainingChunks > 0 ? waiter.remainingChunks - 1 : CHUNKS_PER_TURN - 1;
    waiter.resume();
  }
  isRunning = startedWaiters.length + newWaiters.length > 0;
  if (isRunning) setImmediate(runNextWaiter);
}
