import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BenchedService } from './service-process.ts';

export function createProcessEnvironment(
  { folder, port }: Pick<BenchedService, 'folder' | 'port'>,
  settings: Record<string, string>,
) {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, DATA_DIR: folder, UPLOADS_DIR: `${folder}/uploads`, PORT: String(port), ...settings };
}

export function startWorkers(service: BenchedService, settings: Record<string, string>, count: number) {
  const running = new Set<ChildProcess>();
  const env = createProcessEnvironment(service, settings);
  const start = () => {
    const child = spawn(process.execPath, ['dist/commands/worker.js'], {
      ...{ env, detached: true },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(child);
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  for (let worker = 0; worker < count; worker++) start();
  return {
    async replaceOldest(beforeNext?: () => Promise<void>) {
      const [oldest] = running;
      if (oldest) await end(oldest, 'SIGKILL');
      await beforeNext?.();
      start();
    },
    async stop() {
      await Promise.all([...running].map((child) => end(child, 'SIGTERM')));
    },
  };
}
