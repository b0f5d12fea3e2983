import { toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import { withKeyLock } from '../../platform/key-lock.ts';
import { countStaleValues, reencryptValues } from '../../platform/reencrypt.ts';
import type { Services } from '../../services.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import { EXIT_CODES } from '../../shared/process-exit-codes.ts';
import { formatCount } from '../format-count.ts';
import { createProgress } from '../progress.ts';
import { recordKeyAuditEntry } from './record-key-audit-entry.ts';

const OPERATION = 'keys:rotate';

/** Re-encrypt everything; can be killed at any time. Exits with 1 where values fail to decrypt, 75 if stopped. */
export async function rotateKeys(services: Services, signal: AbortSignal): Promise<number> {
  const { database, keyRing } = services;
  return withKeyLock(database, async () => {
    const { primary } = keyRing.current();
    const total = await countStaleValues(services, signal);
    if (total === 0 && !signal.aborted) {
      console.log(`Everything is already under the primary key ${primary}.`);
      return 0;
    }
    await recordKeyAuditEntry(database, {
      action: 'KEY_ROTATION_STARTED',
      operation: OPERATION,
      resourceId: primary,
    });
    const progress = createProgress(process.stderr, 'values');
    const result = await reencryptValues(services, total, {
      progress,
      signal,
      onIntegrityFailure: (value) => reportIntegrityFailure(services, value),
    });
    progress.end();
    console.log(
      `${formatCount(result.reencrypted, 'value is', 'values are')} under the primary key ${keyRing.current().primary} now.`,
    );
    if (!result.finished) {
      console.error('Not finished: run npm run keys:rotate again to continue.');
      return EXIT_CODES.TEMPORARY;
    }
    const outcome = result.integrityFailures === 0 ? 'SUCCESS' : 'FAILURE';
    await recordKeyAuditEntry(database, {
      action: 'KEYS_ROTATED',
      operation: OPERATION,
      resourceId: primary,
      outcome,
    });
    if (result.integrityFailures > 0)
      console.error(
        `${formatCount(result.integrityFailures, 'value cannot be decrypted and was', 'values cannot be decrypted and were')} left unchanged.`,
      );
    return result.integrityFailures === 0 ? 0 : 1;
  });
}

async function reportIntegrityFailure({ database }: Services, failure: IntegrityFailure): Promise<void> {
  const { table, column, rowId } = failure;
  console.error(`${table}.${column} of row ${rowId} cannot be decrypted.`);
  await recordKeyAuditEntry(database, { ...toIntegrityFailureEntry(failure), operation: OPERATION });
}
