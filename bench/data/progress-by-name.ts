import { createProgress, type Progress } from '../../src/commands/progress.ts';

/** Shows how far each of several things is that are made one after the other: a bar on a terminal, a line now and then else. */
export function createProgressByName(): (name: string, done: number, total: number) => void {
  const bars = new Map<string, Progress>();
  return (name, done, total) => {
    const bar = bars.get(name) ?? createProgress(process.stderr, name);
    bars.set(name, bar);
    bar.step(done, total);
    if (done >= total) bar.end();
  };
}
