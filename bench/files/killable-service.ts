import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { ScratchDatabase } from '../scratch-database.ts';

const STARTUP_TIMEOUT_MS = 60_000;

export function createKillableService({ applicationUrl, ownerUrl, folder }: ScratchDatabase, port: number) {
  let child: ChildProcess | null = null;
  const { PATH, HOME } = process.env;
  const env = {
    ...{ PATH, HOME, DATABASE_URL: applicationUrl, DATABASE_OWNER_URL: ownerUrl, PORT: String(port) },
    ...{ DATA_DIR: `${folder}/service`, UPLOADS_DIR: `${folder}/uploads`, BILLING: 'off' },
    ...{ RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' },
  };
  return {
    dataDir: env.DATA_DIR,
    async start(): Promise<void> {
      child = spawn(process.execPath, ['dist/server.js'], {
        ...{ env, detached: true },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      for (const end = Date.now() + STARTUP_TIMEOUT_MS; Date.now() < end; await wait(25)) {
        if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
        const response = await fetch(`http://localhost:${port}/api/health/ready`).catch(() => null);
        if (response?.ok) return;
      }
      throw new Error('The service was not ready in time.');
    },
    async end(signal: NodeJS.Signals): Promise<void> {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
