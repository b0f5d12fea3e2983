import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../src/start/find-free-port.ts';
import { runWithCleanUp } from './run-with-clean-up.ts';

/** The service as `npm start` runs it, in a process and a folder of its own. */
export interface BenchedService {
  port: number;
  /** Its data folder. */
  folder: string;
  /** The id of its process. */
  pid: number;
  /** The embedded database, as its owner. */
  ownerUrl: string;
  /** The same, as the application. */
  applicationUrl: string;
  /** Every line of the log of a request so far, in order. */
  requests: RequestLine[];
}

export interface RequestLine {
  route: string;
  status: number;
  /** Whole milliseconds from the request's head to the end of its answer, as the service measures them. */
  ms: number;
}

/** Builds the service, runs it on a folder of its own for as long as the work takes, and removes what it made. */
export async function runWithService<Result>(
  environment: Record<string, string>,
  work: (service: BenchedService) => Promise<Result>,
  /** Without it the service still writes its log, and nobody reads it. */
  readsLog = true,
  /** A folder that has data already, and stays. */
  filled?: string,
): Promise<Result> {
  const built = spawnSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (built.status !== 0) throw new Error('The service cannot be built.');
  const folder = filled ?? (await mkdtemp(join(tmpdir(), 'qr-bench-')));
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
    // A process group of its own: Ctrl-C reaches this process, which ends the service in order.
    detached: true,
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    if (!filled) await rm(folder, { recursive: true, force: true });
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
    const answer = await fetch(`http://localhost:${port}/api/health/ready`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error('The service was not ready within 60 s.');
}
