import { PassThrough, pipeline, type Readable } from 'node:stream';
import { resetAttempts, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** Archives that one process sends at a time. */
const CONCURRENCY = 2;

/** Slot to send an archive in the response. */
export interface DataExportSlot {
  /** Idempotent, never throws. */
  release(): Promise<void>;
}

/**
 * Create a limiter for archives that are sent in the response: one per user across all instances, and two per process.
 * `acquire` resolves to null if no slot is free. The slot of a killed process becomes free after ten minutes.
 */
export function createDataExportLimiter({
  database,
  fieldCipher,
}: Pick<PersonalDataServices, 'database' | 'fieldCipher'>) {
  let free = CONCURRENCY;

  return {
    async acquire(userId: string): Promise<DataExportSlot | null> {
      if (free === 0) return null;
      free -= 1;
      const key = `export-slot:${fieldCipher.hash('export-slot', userId).toString('hex')}`;
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
        // If the database is unavailable, the slot ends with its time window.
        await resetAttempts(database.client, [key]).catch(() => undefined);
      };
      const slot: DataExportSlot = {
        release() {
          ended ??= end();
          return ended;
        },
      };
      // A slow client must not block others. Later releases do nothing: the key may belong to another request.
      const timer = setTimeout(() => void slot.release(), LIFETIMES_SECONDS.exportSlot * 1000).unref();
      return slot;
    },
  };
}

/** Pass a stream through, and release the slot before the end of the stream or when the stream fails. */
export function releaseSlotAfterStream(slot: DataExportSlot, content: Readable): Readable {
  const sent = new PassThrough({
    flush(done) {
      void slot.release().then(() => done());
    },
  });
  // The stream may fail before it has a reader; a later reader still gets the error.
  sent.on('error', () => undefined);
  pipeline(content, sent, () => void slot.release());
  return sent;
}
