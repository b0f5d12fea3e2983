import { createProgress, type Progress } from '../../src/commands/progress.ts';

export function createProgressByName(): (name: string, done: number, total: number) => void {
  const bars = new Map<string, Progress>();
  return (name, done, total) => {
    const bar = bars.get(name) ?? createProgress(process.stderr, name);
    bars.set(name, bar);
    bar.step(done, total);
    if (done >= total) bar.end();
  };
}
