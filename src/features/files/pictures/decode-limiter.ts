import { createLimiter } from '../../../shared/limiter.ts';

/** Bytes beyond which a picture is decoded with no other such one beside it. */
const LARGE_PICTURE_BYTES = 150_000_000;

const limitLargePictures = createLimiter(1);

/** Runs what needs so many bytes of memory: at most one that needs many runs at a time. */
export async function runWithDecodeLimit<Result>(
  bytes: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return bytes < LARGE_PICTURE_BYTES ? work() : limitLargePictures(work);
}
