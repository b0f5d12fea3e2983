import { type CommandProgress, createCommandProgress } from '../../src/commands/progress.ts';

export function createProgressByName(): (name: string, done: number, total: number) => void {
  const bars = new Map<string, CommandProgress>();
  return (name, done, total) => {
    const bar = bars.get(name) ?? createCommandProgress(process.stderr, name);
    bars.set(name, bar);
    bar.step(done, total);
    if (done >= total) bar.end();
  };
}
