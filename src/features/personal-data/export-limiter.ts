import { PassThrough, pipeline, type Readable } from 'node:stream';
import { deleteAttemptBudgets, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** Archives that one process makes at a time while somebody waits. */
const CONCURRENCY = 2;

/** The turn to make an archive while somebody waits. */
export interface ExportSlot {
  /** Gives it back; harmless when done twice. Never throws. */
  release(): Promise<void>;
}

/**
 * Turns of those who wait for their archive: one a person, whichever instance is asked, and two a process. `acquire` answers
 * null where none is free. One that a kill left is free again after ten minutes.
 */
export function createExportLimiter({
  database,
  fieldCipher,
}: Pick<PersonalDataServices, 'database' | 'fieldCipher'>) {
  let free = CONCURRENCY;

  return {
    async acquire(userId: string): Promise<ExportSlot | null> {
      if (free === 0) return null;
      free -= 1;
      const key = `export-turn:${fieldCipher.hash('export-turn', userId).toString('hex')}`;
      const budget = { key, allowed: 1, windowSeconds: LIFETIMES_SECONDS.exportSlot };
      let isAcquired = false;
      try {
        isAcquired = await database.transaction((tx) => tryConsumeAttempt(tx, budget));
      } finally {
        if (!isAcquired) free += 1;
      }
      if (!isAcquired) return null;
      let ended: Promise<void> | undefined;
      const end = async () => {
        clearTimeout(timer);
        free += 1;
        // While the database does not answer the turn ends by its time.
        await deleteAttemptBudgets(database.client, [key]).catch(() => undefined);
      };
      const slot: ExportSlot = {
        release() {
          ended ??= end();
          return ended;
        },
      };
      // Nobody keeps the others waiting by reading slowly; and after this the place may be somebody else's.
      const timer = setTimeout(() => void slot.release(), LIFETIMES_SECONDS.exportSlot * 1000).unref();
      return slot;
    },
  };
}

/** The stream, whose turn has ended before its reader sees its end, and ends with it where it breaks off. */
export function releaseAfterStream(slot: ExportSlot, content: Readable): Readable {
  const sent = new PassThrough({
    flush(done) {
      void slot.release().then(() => done());
    },
  });
  // It may break off before anybody reads; whoever reads later is told.
  sent.on('error', () => undefined);
  pipeline(content, sent, () => void slot.release());
  return sent;
}
