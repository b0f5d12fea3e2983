import { createConcurrencyLimiter } from '../../../shared/limiter.ts';

/** A picture above this is decoded alone. */
const LARGE_PICTURE_BYTES = 150_000_000;

const limitLargePictures = createConcurrencyLimiter(1);

/** Run decoding work of this memory size; large ones run one at a time. */
export async function runWithDecodeLimit<Result>(
  bytes: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return bytes < LARGE_PICTURE_BYTES ? work() : limitLargePictures(work);
}
