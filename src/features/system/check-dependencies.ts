import { access, constants, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../platform/database.ts';
import type { DatabaseHealth } from '../../platform/database-health.repository.ts';
import type { RedisConnection } from '../../platform/redis.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { MalwareScanner } from '../../providers/malware/malware.port.ts';
import type { DependencyLog } from '../../shared/dependency-log.ts';
import { createSingleFlight } from '../../shared/memoize.ts';
import { withinTime } from '../../shared/within-time.ts';

/** `unknown`: configured and not used since the start. */
export const DEPENDENCY_STATUSES = ['up', 'down', 'unknown'] as const;

export interface DependencyHealth {
  name: string;
  /** Without it requests are refused. */
  required: boolean;
  status: (typeof DEPENDENCY_STATUSES)[number];
  checkedAt: string | null;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  lastFailureCode: string | null;
}

export interface DependencyServices {
  config: {
    uploadsDir: string;
    dataDir: string;
    billing: string;
    /** Of those below, whether they are configured. */
    s3: unknown;
    smtpUrl: unknown;
    firebaseAccount: unknown;
    identityProvider: unknown;
    geocoderUrl: unknown;
    auditCheckpointUrl: unknown;
  };
  database: Pick<Database, 'readHealth' | 'checkReplica' | 'getWriteFailureCode'>;
  redis: Pick<RedisConnection, 'isUp'> | null;
  privateFiles: Pick<FileStore, 'stat'>;
  malwareCheck: { scanner: Pick<MalwareScanner, 'isAvailable'> } | null;
  dependencyLog: DependencyLog;
}

const CHECK_INTERVAL_MS = 5_000;
const CHECK_TIMEOUT_MS = 1_500;

/** Above the interval in which a worker is seen, and above a restart. */
export const MAX_WORKER_SILENCE_SECONDS = 60;
export const MAX_JOB_WAIT_SECONDS = 600;

/** A folder with less is full: the next picture may not fit. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

/** Absent in every store. */
const PROBE_FILE_NAME = 'health-check';

/** Create the check of all configured dependencies; concurrent calls share it, and probes run every five seconds. */
export function createDependencyCheck(services: DependencyServices): () => Promise<DependencyHealth[]> {
  const { config, redis, malwareCheck, dependencyLog } = services;
  const { checkReplica } = services.database;
  const startedAt = Date.now();
  const probedAt = new Map<string, number>();
  const singleFlight = createSingleFlight<DependencyHealth[]>();

  async function check(): Promise<DependencyHealth[]> {
    const [health] = await Promise.all([
      services.database.readHealth().catch(() => null),
      probe('files', () => probeFiles(services)),
      checkReplica && probe('database replica', checkReplica),
      malwareCheck &&
        probe('malware scanner', async () => assertTrue(await malwareCheck.scanner.isAvailable())),
    ]);
    return [
      toDatabaseStatus(health),
      ...(health
        ? [toCheckedStatus('migrations', health.areMigrationsFinished, false), toWorkerStatus(health)]
        : []),
      ...(checkReplica ? [toObservedStatus('database replica', false)] : []),
      ...(redis ? [toCheckedStatus('redis', redis.isUp(), false)] : []),
      toObservedStatus('files', true),
      ...(malwareCheck ? [toObservedStatus('malware scanner', false)] : []),
      ...(config.smtpUrl ? [toObservedStatus('mail server', false)] : []),
      ...(config.firebaseAccount ? [toObservedStatus('push', false)] : []),
      ...(config.billing === 'stripe' ? [toObservedStatus('payments', false)] : []),
      ...(config.identityProvider ? [toObservedStatus('identity provider', false)] : []),
      ...(config.geocoderUrl ? [toObservedStatus('geocoding server', false)] : []),
      ...(config.auditCheckpointUrl ? [toObservedStatus('receiver of checkpoints', false)] : []),
    ];
  }

  async function probe(name: string, work: () => Promise<void>): Promise<void> {
    const now = performance.now();
    if (now - (probedAt.get(name) ?? Number.NEGATIVE_INFINITY) < CHECK_INTERVAL_MS) return;
    probedAt.set(name, now);
    const failureCode = await withinTime(CHECK_TIMEOUT_MS, work).then(
      () => null,
      (error: unknown) => (error instanceof DiskFullError ? error.code : 'CHECK_FAILED'),
    );
    dependencyLog.note(name, failureCode);
  }

  function toCheckedStatus(
    name: string,
    isUp: boolean,
    required: boolean,
    failureCode = 'CHECK_FAILED',
  ): DependencyHealth {
    dependencyLog.note(name, isUp ? null : failureCode);
    return toObservedStatus(name, required);
  }

  /** A full disk or a missing synchronous standby shows only in changes. */
  function toDatabaseStatus(health: DatabaseHealth | null): DependencyHealth {
    const writeFailureCode = services.database.getWriteFailureCode();
    const isUp = health?.isWritable === true && writeFailureCode === null;
    return toCheckedStatus('database', isUp, true, writeFailureCode ?? undefined);
  }

  function toObservedStatus(name: string, required: boolean): DependencyHealth {
    const result = dependencyLog.find(name);
    const status = result ? (result.isUp ? 'up' : 'down') : 'unknown';
    return {
      name,
      required,
      status,
      checkedAt: result?.at.toISOString() ?? null,
      lastSuccessAt: result?.lastSuccessAt?.toISOString() ?? null,
      lastFailureAt: result?.lastFailure?.at.toISOString() ?? null,
      lastFailureCode: result?.lastFailure?.code ?? null,
    };
  }

  /** A worker may be a restart away, so that it counts as missing only after a while. */
  function toWorkerStatus(health: DatabaseHealth): DependencyHealth {
    const { workerSeenSecondsAgo, oldestDueJobSeconds } = health;
    const isSeen = workerSeenSecondsAgo !== null && workerSeenSecondsAgo < MAX_WORKER_SILENCE_SECONDS;
    const isBehind = oldestDueJobSeconds !== null && oldestDueJobSeconds > MAX_JOB_WAIT_SECONDS;
    const isUp = isSeen && !isBehind;
    const isStarting = Date.now() - startedAt < MAX_WORKER_SILENCE_SECONDS * 1_000;
    return isUp || !isStarting ? toCheckedStatus('worker', isUp, false) : toObservedStatus('worker', false);
  }

  return () => singleFlight('all', check);
}

async function probeFiles({ config, privateFiles }: DependencyServices): Promise<void> {
  if (config.s3) {
    await privateFiles.stat(PROBE_FILE_NAME);
    return;
  }
  for (const folder of [config.uploadsDir, join(config.dataDir, 'files')]) await assertCanStore(folder);
}

class DiskFullError extends Error {
  readonly code = 'ENOSPC';
}

async function assertCanStore(folder: string): Promise<void> {
  await access(folder, constants.W_OK);
  const { bavail: freeBlocks, bsize: blockBytes } = await statfs(folder);
  if (freeBlocks * blockBytes < MIN_FREE_BYTES) throw new DiskFullError('The disk is full.');
}

function assertTrue(value: boolean): void {
  if (!value) throw new Error('unavailable');
}
