import { promise as queueOf } from 'fastq';
import { ServiceError } from '../../shared/errors.ts';

/** What pictures are drawn for, and how many of each may wait: an upload waits with its bytes, the other with nothing. */
const MOST_WAITING = { upload: 8, rendition: 60 };

/** Pictures in work at once. A decoder keeps a core busy. */
const AT_ONCE = 2;

/** Bytes beyond which a picture is decoded with no other such one beside it. */
const LARGE = 150_000_000;

const queue = queueOf((work: () => Promise<unknown>) => work(), AT_ONCE);
const queueOfLarge = queueOf((work: () => Promise<unknown>) => work(), 1);
const waiting = { upload: 0, rendition: 0 };

/** Runs what draws a picture when its turn comes: all drawing of pictures in this process is in here. Throws BUSY when too many wait, and what `work` throws. */
export async function drawInTurn<Result>(
  purpose: keyof typeof MOST_WAITING,
  work: () => Promise<Result>,
): Promise<Result> {
  if (waiting[purpose] >= MOST_WAITING[purpose]) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  waiting[purpose] += 1;
  let result: { value: Result } | undefined;
  await queue.push(async () => {
    waiting[purpose] -= 1;
    result = { value: await work() };
  });
  if (!result) throw new Error('The queue has not run what it was given.');
  return result.value;
}

/** Within a turn, runs what needs so many bytes of memory: at most one that needs many runs at a time. */
export async function decodeWithin<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
  if (bytes < LARGE) return work();
  let result: { value: Result } | undefined;
  await queueOfLarge.push(async () => {
    result = { value: await work() };
  });
  if (!result) throw new Error('The queue has not run what it was given.');
  return result.value;
}
