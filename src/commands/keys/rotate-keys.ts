import { damageRecord } from '../../platform/damage.ts';
import { withKeyLock } from '../../platform/key-lock.ts';
import { countStale, reencrypt } from '../../platform/reencrypt.ts';
import type { Services } from '../../services.ts';
import type { DamagedValue } from '../../shared/errors.ts';
import { EXIT } from '../../shared/exit.ts';
import { counted } from '../counted.ts';
import { progressOn } from '../progress.ts';
import { recordKeyEntry } from './record-key-entry.ts';

const OPERATION = 'keys:rotate';

/**
 * `npm run keys:rotate`: encrypts everything under the primary key, while the service goes on. Killed or stopped at any
 * moment, the next call goes on from there. Exit code 1 when values do not open, 75 when it was stopped.
 */
export async function rotateKeys(services: Services, stopping: AbortSignal): Promise<number> {
  const { database, keyRing } = services;
  return withKeyLock(database, async () => {
    const { primary } = keyRing.current();
    const total = await countStale(services, stopping);
    if (total === 0 && !stopping.aborted) {
      console.log(`Everything is under the primary key ${primary} already.`);
      return 0;
    }
    await recordKeyEntry(database, {
      action: 'KEY_ROTATION_STARTED',
      operation: OPERATION,
      resourceId: primary,
    });
    const progress = progressOn(process.stderr, 'values');
    const done = await reencrypt(services, total, {
      progress,
      stopping,
      onBroken: (value) => tellBroken(services, value),
    });
    progress.end();
    console.log(
      `${counted(done.renewed, 'value is', 'values are')} under the primary key ${keyRing.current().primary} now.`,
    );
    if (!done.finished) {
      console.error('Not finished: call npm run keys:rotate again, it goes on from here.');
      return EXIT.TEMPORARY;
    }
    const outcome = done.broken === 0 ? 'SUCCESS' : 'FAILURE';
    await recordKeyEntry(database, {
      action: 'KEYS_ROTATED',
      operation: OPERATION,
      resourceId: primary,
      outcome,
    });
    if (done.broken > 0)
      console.error(
        `${counted(done.broken, 'value does not open and was', 'values do not open and were')} left unchanged.`,
      );
    return done.broken === 0 ? 0 : 1;
  });
}

async function tellBroken({ database }: Services, damaged: DamagedValue): Promise<void> {
  const { table, column, rowId } = damaged;
  console.error(`${table}.${column} of the row ${rowId} does not open.`);
  await recordKeyEntry(database, { ...damageRecord(damaged), operation: OPERATION });
}
