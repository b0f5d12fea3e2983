import type { Database } from '../../platform/database.ts';
import type { AuditKeys } from './audit-keys.ts';
import { sealBatch } from './seal-batch.ts';
import { type CheckpointServices, createCheckpointWriter } from './write-checkpoints.ts';

/** Milliseconds between looks for entries: an entry is sealed well within a second of its commit. */
const LOOK_EVERY = 400;

/** A checkpoint is written after so many entries, or so many milliseconds. */
const CHECKPOINT_ENTRIES = 1_000;
const CHECKPOINT_EVERY = 60_000;

/** Seals the audit trail for as long as a process lives, taking turns with those of other instances. */
export interface Sealer {
  start(): void;
  /** Seals what is left, writes a checkpoint, and resolves when all of it is done or has failed. */
  stop(): Promise<void>;
}

interface Services extends Omit<CheckpointServices, 'keys'> {
  database: Pick<Database, 'pool'>;
  keys: AuditKeys;
  log: { info(details: object, message: string): void; error(details: object, message: string): void };
}

/** A sealer that does nothing until it is started. A failure is logged once, and the end of it. */
export function createSealer(services: Services): Sealer {
  const { database, keys, log } = services;
  const checkpoints = createCheckpointWriter(services);
  const failures = failureLog(log);
  let running: Promise<void> | null = null;
  let stopped = true;
  let rest: (() => void) | null = null;
  let sealedSince = 0;
  let checkpointAt = 0;

  async function run(): Promise<void> {
    while (!stopped) {
      const more = await sealSome();
      const isDue = sealedSince >= CHECKPOINT_ENTRIES || performance.now() >= checkpointAt;
      if (isDue) await checkpoint();
      if (!more && !stopped) await pause();
    }
    while (await sealSome());
    await checkpoint();
    await checkpoints.settled();
  }

  async function sealSome(): Promise<boolean> {
    const result = await failures.watch('sealing', () => sealBatch(database, keys));
    sealedSince += result?.sealed ?? 0;
    return result?.more ?? false;
  }

  async function checkpoint(): Promise<void> {
    await failures.watch('checkpoints', () => checkpoints.write());
    sealedSince = 0;
    checkpointAt = performance.now() + CHECKPOINT_EVERY;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, LOOK_EVERY);
      function end() {
        clearTimeout(timer);
        rest = null;
        resolve();
      }
      rest = end;
    });
  }

  return {
    start() {
      if (running) return;
      stopped = false;
      running = run();
    },
    async stop() {
      stopped = true;
      rest?.();
      await running;
      running = null;
    },
  };
}

/** Tells of a failure when it begins and when it is over, not at each try. */
function failureLog(log: Services['log']) {
  const failing = new Set<string>();
  return {
    async watch<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
      try {
        const result = await work();
        if (failing.delete(what)) log.info({}, `audit: ${what} works again`);
        return result;
      } catch (error) {
        const isNew = !failing.has(what);
        failing.add(what);
        if (isNew) log.error({ error: namesOf(error) }, `audit: ${what} failed, and is tried again`);
        return undefined;
      }
    },
  };
}

/** What is told of an error: never a statement's values. Not under `err`, of which the log would leave the name out. */
function namesOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: 'Error' };
  const isOurs = error.name === 'TrailContradictionError';
  return {
    name: error.name,
    code: Reflect.get(error, 'code'),
    ...(isOurs ? { message: error.message } : {}),
  };
}
