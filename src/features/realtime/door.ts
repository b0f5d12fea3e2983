import fastq from 'fastq';

/** Runs what a new socket asks of the database when it is its turn. */
export type Door = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Fewer than the pool has connections: when a process goes, all its sockets come to the others at once. */
const AT_ONCE = 3;

/** The line of sockets that are being let in. */
export function createDoor(): Door {
  const queue = fastq.promise((task: () => Promise<unknown>) => task(), AT_ONCE);
  return async <Result>(work: () => Promise<Result>) => (await queue.push(work)) as Result;
}
