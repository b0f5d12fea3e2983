import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../shared/errors.ts';
import { withinTime } from '../shared/within-time.ts';
import { isStatementTimeoutError } from './http/database-errors.ts';
import { databaseReads } from './monitoring/metrics.ts';
import {
  type DatabaseWithPool,
  readFlushedPosition,
  readReplayedPosition,
} from './wal-position.repository.ts';

/** Longest wait for the replica before the primary is read. */
const MAX_WAIT_MS = 200;

/** Time during which a replica that was not ready in time is not asked again. */
const PAUSE_MS = 2_000;

const FIRST_DELAY_MS = 1;
const MAX_DELAY_MS = 16;

export interface ReadReplica<Server> {
  /** See `Database.read`. */
  read<Result>(work: (database: Server) => Promise<Result>): Promise<Result>;
  /** @throws when the replica does not have everything that was committed before this call in time */
  waitUntilCurrent(): Promise<void>;
}

/** Read from a replica that is asked before each read whether it has what the primary had committed by then. */
export function createReadReplica<Server extends DatabaseWithPool>(
  primary: Server,
  replica: Server,
): ReadReplica<Server> {
  const readFlushed = shareNextRun(() => readFlushedPosition(primary));
  const readReplayed = shareNextRun(() => readReplayedPosition(replica));
  let pausedUntil = 0;

  async function waitUntilReplayed(getRemainingMs: () => number): Promise<void> {
    const [flushed, first] = await Promise.all([readFlushed(), readReplayed()]);
    let replayed = first;
    for (let delay = FIRST_DELAY_MS; replayed !== null && replayed < flushed; delay *= 2) {
      // A busy event loop may get here before the timer.
      if (getRemainingMs() <= 0) throw new Error('The replica is behind the primary.');
      await sleep(Math.min(delay, MAX_DELAY_MS));
      replayed = await readReplayed();
    }
    if (replayed === null) throw new Error('DATABASE_READ_URL is the URL of a server that is no replica.');
  }

  const waitUntilCurrent = () => withinTime(MAX_WAIT_MS, waitUntilReplayed);

  const readPrimary = <Result>(work: (database: Server) => Promise<Result>, reason: string) => {
    databaseReads.inc({ server: 'primary', reason });
    return work(primary);
  };

  return {
    waitUntilCurrent,
    async read(work) {
      if (performance.now() < pausedUntil) return readPrimary(work, 'paused');
      try {
        await waitUntilCurrent();
      } catch {
        pausedUntil = performance.now() + PAUSE_MS;
        return readPrimary(work, 'not_current');
      }
      try {
        const result = await work(replica);
        databaseReads.inc({ server: 'replica', reason: 'current' });
        return result;
      } catch (error) {
        // The primary would take as long.
        if (error instanceof ServiceError || isStatementTimeoutError(error)) throw error;
        // Lost connections, and rows that the replica removed while they were read.
        return readPrimary(work, 'failed');
      }
    },
  };
}

/** Share runs of `work` between calls, so that each call gets the result of a run that began after it. */
function shareNextRun<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;
  const start = () => {
    next = null;
    const run = work();
    const end = () => {
      if (current === run) current = null;
    };
    current = run;
    run.then(end, end);
    return run;
  };
  return () => {
    if (!current) return start();
    next ??= current.then(start, start);
    return next;
  };
}
