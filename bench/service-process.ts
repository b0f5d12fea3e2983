import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../src/start/find-free-port.ts';
import { runWithCleanUp } from './run-with-clean-up.ts';

const STARTUP_TIMEOUT_MS = 120_000;

export interface BenchedService {
  port: number;
  base: string;
  folder: string;
  pid: number;
  ownerUrl: string;
  applicationUrl: string;
}

let isBuilt = false;

/** Build the service, run it in its own folder until the work is done, and remove the folder. */
export async function runWithService<Result>(
  environment: Record<string, string>,
  work: (service: BenchedService) => Promise<Result>,
  /** Existing data folder, which is not removed. */
  existingFolder?: string,
): Promise<Result> {
  buildOnce();
  const folder = existingFolder ?? (await mkdtemp(join(tmpdir(), 'qr-bench-')));
  const port = await findFreePort();
  const child = spawn(process.execPath, ['dist/server.js'], {
    env: createProcessEnvironment(folder, { PORT: String(port), ...environment }),
    stdio: ['ignore', 'ignore', 'inherit'],
    // Own process group: Ctrl-C reaches only this process, which then stops the service.
    detached: true,
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    if (!existingFolder) await rm(folder, { recursive: true, force: true });
  };
  return runWithCleanUp(stop, async () => {
    const base = `http://localhost:${port}`;
    for (const end = Date.now() + STARTUP_TIMEOUT_MS; ; await wait(50)) {
      if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
      if ((await fetch(`${base}/api/health/ready`).catch(() => null))?.ok) break;
      if (Date.now() > end) throw new Error('The service was not ready in time.');
    }
    const address = async (file: string) => (await readFile(join(folder, file), 'utf8')).trim();
    const [ownerUrl, applicationUrl] = [await address('database-url'), await address('database-url-app')];
    return await work({ port, base, pid: child.pid ?? 0, folder, ownerUrl, applicationUrl });
  });
}

/** Get the environment of a process of the service on a data folder. */
export function createProcessEnvironment(folder: string, settings: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const files = { DATA_DIR: folder, UPLOADS_DIR: join(folder, 'uploads') };
  return { PATH, HOME, RATE_LIMIT_SCALE: '100000', BILLING: 'off', ...files, ...settings };
}

function buildOnce(): void {
  if (isBuilt) return;
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The service cannot be built.');
  isBuilt = true;
}
