import { PassThrough, pipeline, type Readable } from 'node:stream';
import { deleteAttemptBudgets, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** Archives that one process makes at a time while somebody waits. */
const AT_ONCE = 2;

/** The turn to make an archive while somebody waits. */
export interface ExportTurn {
  /** Gives it back; harmless when done twice. Never throws. */
  end(): Promise<void>;
}

/**
 * Turns of those who wait for their archive: one a person, whichever instance is asked, and two a process. `take` answers
 * null where none is free. One that a kill left is free again after ten minutes.
 */
export function createExportTurns({
  database,
  fieldCipher,
}: Pick<PersonalDataServices, 'database' | 'fieldCipher'>) {
  let free = AT_ONCE;

  return {
    async take(userId: string): Promise<ExportTurn | null> {
      if (free === 0) return null;
      free -= 1;
      const key = `export-turn:${fieldCipher.hash('export-turn', userId).toString('hex')}`;
      const budget = { key, allowed: 1, windowSeconds: LIFETIMES_SECONDS.exportTurn };
      let isMine = false;
      try {
        isMine = await database.transaction((tx) => tryConsumeAttempt(tx, budget));
      } finally {
        if (!isMine) free += 1;
      }
      if (!isMine) return null;
      let ended: Promise<void> | undefined;
      const end = async () => {
        clearTimeout(timer);
        free += 1;
        // While the database does not answer the turn ends by its time.
        await deleteAttemptBudgets(database.client, [key]).catch(() => undefined);
      };
      const turn: ExportTurn = {
        end() {
          ended ??= end();
          return ended;
        },
      };
      // Nobody keeps the others waiting by reading slowly; and after this the place may be somebody else's.
      const timer = setTimeout(() => void turn.end(), LIFETIMES_SECONDS.exportTurn * 1000).unref();
      return turn;
    },
  };
}

/** The stream, whose turn has ended before its reader sees its end, and ends with it where it breaks off. */
export function inTurn(turn: ExportTurn, content: Readable): Readable {
  const sent = new PassThrough({
    flush(done) {
      void turn.end().then(() => done());
    },
  });
  // It may break off before anybody reads; whoever reads later is told.
  sent.on('error', () => undefined);
  pipeline(content, sent, () => void turn.end());
  return sent;
}
