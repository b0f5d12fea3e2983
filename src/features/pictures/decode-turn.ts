import { promise as queueOf } from 'fastq';

/** Bytes beyond which a picture is decoded with no other such one beside it. */
const LARGE = 150_000_000;

const queue = queueOf((work: () => Promise<void>) => work(), 1);

/** Runs what needs so many bytes of memory: at most one that needs many runs at a time. */
export async function decodeWithin<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
  if (bytes < LARGE) return work();
  let result: { value: Result } | undefined;
  await queue.push(async () => {
    result = { value: await work() };
  });
  if (!result) throw new Error('The queue has not run what it was given.');
  return result.value;
}
