import { createWorkerProcess } from '../../platform/worker-process.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createLimiter } from '../../shared/limiter.ts';
import type { Drawing, Drawn } from './draw.process.ts';

/** What pictures are drawn for, and how many of each may wait: an upload waits with its bytes, the other with nothing. */
const MOST_WAITING = { upload: 8, rendition: 60 };

/** Pictures in work at once. A decoder keeps a core busy. */
const AT_ONCE = 2;

/** Milliseconds of one picture: the largest takes three seconds on a core of its own. */
const LONGEST = 60_000;

const drawer = createWorkerProcess<Drawing, Drawn>('./draw.process', import.meta.url, LONGEST);
const inTurn = createLimiter(AT_ONCE);
const waiting = { upload: 0, rendition: 0 };

/**
 * Has a picture drawn by the process that is there for it, when its turn comes: all decoding of pictures is in there.
 * `prepare` is called no sooner. Throws BUSY when too many wait, or the process ended under way, and what `prepare` throws.
 */
export async function drawInTurn(
  purpose: keyof typeof MOST_WAITING,
  prepare: () => Promise<Drawing> | Drawing,
): Promise<Drawn> {
  if (waiting[purpose] >= MOST_WAITING[purpose]) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  waiting[purpose] += 1;
  return inTurn(async () => {
    waiting[purpose] -= 1;
    return drawer.run(await prepare());
  });
}
