import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../src/start/find-free-port.ts';
import { runWithCleanUp } from './run-with-clean-up.ts';

export interface BenchedService {
  port: number;
  folder: string;
  pid: number;
  ownerUrl: string;
  applicationUrl: string;
  requests: RequestLine[];
}

export interface RequestLine {
  route: string;
  status: number;
  /** Milliseconds from the request headers to the end of the response, as measured by the service. */
  ms: number;
}

/** Build the service, run it in its own folder until the work is done, and remove the folder. */
export async function runWithService<Result>(
  environment: Record<string, string>,
  work: (service: BenchedService) => Promise<Result>,
  /** If false, the log is written and discarded. */
  readsLog = true,
  /** Existing data folder, which is not removed. */
  existingFolder?: string,
): Promise<Result> {
  const build = spawnSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (build.status !== 0) throw new Error('The service cannot be built.');
  const folder = existingFolder ?? (await mkdtemp(join(tmpdir(), 'qr-bench-')));
  const port = await findFreePort();
  const child = spawn(process.execPath, ['dist/server.js'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: folder,
      UPLOADS_DIR: join(folder, 'uploads'),
      PORT: String(port),
      RATE_LIMIT_SCALE: '100000',
      BILLING: 'off',
      ...environment,
    },
    stdio: ['ignore', readsLog ? 'pipe' : 'ignore', 'inherit'],
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
    const requests = readsLog ? readRequests(child) : [];
    await waitUntilReady(child, port);
    const address = async (file: string) => (await readFile(join(folder, file), 'utf8')).trim();
    const [ownerUrl, applicationUrl] = [await address('database-url'), await address('database-url-app')];
    return await work({ port, pid: child.pid ?? 0, folder, ownerUrl, applicationUrl, requests });
  });
}

function readRequests(child: ChildProcess): RequestLine[] {
  const lines: RequestLine[] = [];
  if (!child.stdout) return lines;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { req, res, ms } = JSON.parse(line);
    if (req && res)
      lines.push({ route: `${req.method} ${req.route ?? req.path}`, status: res.statusCode, ms });
  });
  return lines;
}

async function waitUntilReady(child: ChildProcess, port: number): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(50)) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
    const response = await fetch(`http://localhost:${port}/api/health/ready`).catch(() => null);
    if (response?.ok) return;
  }
  throw new Error('The service was not ready within 60 s.');
}
