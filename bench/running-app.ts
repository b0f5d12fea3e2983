import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createServices, type Services } from '../src/services.ts';
import type { ScratchDatabase } from './scratch-database.ts';

export interface RunningApp {
  services: Services;
  address: string;
  createToken(userId: string, sessionId: string): string;
}

export async function runWithApp<Result>(
  { applicationUrl, folder }: ScratchDatabase,
  work: (app: RunningApp) => Promise<Result>,
  worksJobs = true,
  environment: Record<string, string> = {},
): Promise<Result> {
  const config = loadConfig({
    ...{
      NODE_ENV: 'test',
      DATA_DIR: folder,
      UPLOADS_DIR: join(folder, 'uploads'),
      RATE_LIMIT_SCALE: '10000',
      // Disable package limits and their queries.
      BILLING: 'off',
    },
    DATABASE_URL: applicationUrl,
    ...environment,
  });
  const database = openDatabase({
    url: applicationUrl,
    poolSize: config.databasePoolSize,
    onError: () => {},
  });
  const secrets = deriveSecrets(process.env.BENCH_SECRET);
  const log = {
    info() {},
    warn() {},
    error: (details: object, message: string) => console.error(message, details),
  };
  const services = createServices({ config, secrets, database, log });
  const app = await buildApp(services, false);
  try {
    if (worksJobs) await services.jobs.start();
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const createToken = (id: string, sessionId: string) =>
      app.signAccessToken({ id, role: 'USER' }, sessionId, 3600);
    return await work({ services, address, createToken });
  } finally {
    await app.close();
    if (worksJobs) await services.jobs.stop();
    await services.mailProvider.close();
    await database.close();
  }
}

/** Derive all secrets from one, so that a second process has the same. */
function deriveSecrets(secret = randomBytes(32).toString('hex')) {
  process.env.BENCH_SECRET = secret;
  const deriveSecret = (name: string) => createHash('sha256').update(name).update(secret).digest('base64');
  return {
    ...{ JWT_SECRET: deriveSecret('jwt'), HASH_SECRET: deriveSecret('hash') },
    ...{ PASSWORD_PEPPERS: `p1:${deriveSecret('pepper')}`, ENCRYPTION_KEYS: `k1:${deriveSecret('key')}` },
    AUDIT_SIGNING_KEY: deriveSecret('signature'),
  };
}

/** Repeat a request until stopped, counting 503. @throws Error for a status other than `expected` and 503 */
export function startProbing(
  ask: () => Promise<Response>,
  expected: number,
): { stop(): Promise<{ times: number[]; busy: number }> } {
  let isStopped = false;
  const loop = (async () => {
    const times: number[] = [];
    let busy = 0;
    while (!isStopped) {
      const startedAt = performance.now();
      const response = await ask();
      await response.arrayBuffer();
      times.push(performance.now() - startedAt);
      if (response.status === 503) busy += 1;
      else if (response.status !== expected) throw new Error(`answered ${response.status}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { times: times.sort((one, other) => one - other), busy };
  })();
  return {
    stop() {
      isStopped = true;
      return loop;
    },
  };
}

export function formatProbeTimes({ times, busy }: { times: readonly number[]; busy: number }): string {
  const at = (part: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1);
  return `${times.length} requests, ${busy} of them 503, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
