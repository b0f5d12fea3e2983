import fastq from 'fastq';

/** Runs a task when its turn comes, and answers what it answers. */
export type Lane = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** A line of tasks of which so many run at the same time, in the order of coming. */
export function createLane(width: number): Lane {
  const queue = fastq.promise((task: () => Promise<void>) => task(), width);
  return (task) =>
    new Promise((resolve, reject) => {
      queue.push(() => task().then(resolve, reject)).catch(reject);
    });
}
