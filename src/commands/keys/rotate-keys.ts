import type { AuditAction, AuditResourceType } from '../../audit-actions.ts';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import { toIntegrityFailureAuditEntry } from '../../platform/integrity-failure.ts';
import { runWithEncryptionKeyLock } from '../../platform/key-lock.ts';
import { countStaleEncryptedValues, reencryptStaleValues } from '../../platform/reencrypt.ts';
import type { Services } from '../../services.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import { EXIT_CODES } from '../../shared/process-exit-codes.ts';
import { formatCountWithNoun } from '../format-count.ts';
import { createCommandProgress } from '../progress.ts';

const OPERATION = 'keys:rotate';

/** Re-encrypt everything; can be killed at any time. Exits with 1 where values fail to decrypt, 75 if stopped. */
export async function reencryptUnderPrimaryKey(services: Services, signal: AbortSignal): Promise<number> {
  const { database, keyRing } = services;
  return runWithEncryptionKeyLock(database, async () => {
    const { primary } = keyRing.current();
    const total = await countStaleEncryptedValues(services, signal);
    if (total === 0 && !signal.aborted) {
      console.log(`Everything is already under the primary key ${primary}.`);
      return 0;
    }
    await recordEncryptionKeyAuditEntry(database, {
      action: 'KEY_ROTATION_STARTED',
      operation: OPERATION,
      resourceId: primary,
    });
    const progress = createCommandProgress(process.stderr, 'values');
    const result = await reencryptStaleValues(services, total, {
      progress,
      signal,
      onIntegrityFailure: (value) => reportIntegrityFailure(services, value),
    });
    progress.end();
    console.log(
      `${formatCountWithNoun(result.reencrypted, 'value is', 'values are')} under the primary key ${keyRing.current().primary} now.`,
    );
    if (!result.finished) {
      console.error('Not finished: run npm run keys -- rotate again to continue.');
      return EXIT_CODES.TEMPORARY;
    }
    const outcome = result.integrityFailures === 0 ? 'SUCCESS' : 'FAILURE';
    await recordEncryptionKeyAuditEntry(database, {
      action: 'KEYS_ROTATED',
      operation: OPERATION,
      resourceId: primary,
      outcome,
    });
    if (result.integrityFailures > 0)
      console.error(
        `${formatCountWithNoun(result.integrityFailures, 'value cannot be decrypted and was', 'values cannot be decrypted and were')} left unchanged.`,
      );
    return result.integrityFailures === 0 ? 0 : 1;
  });
}

async function reportIntegrityFailure({ database }: Services, failure: IntegrityFailure): Promise<void> {
  const { table, column, rowId } = failure;
  console.error(`${table}.${column} of row ${rowId} cannot be decrypted.`);
  await recordEncryptionKeyAuditEntry(database, {
    ...toIntegrityFailureAuditEntry(failure),
    operation: OPERATION,
  });
}

async function recordEncryptionKeyAuditEntry(
  database: Database,
  entry: {
    action: AuditAction;
    operation: string;
    resourceType?: AuditResourceType;
    resourceId?: string;
    outcome?: 'SUCCESS' | 'FAILURE';
    changes?: readonly string[];
  },
): Promise<void> {
  await database.transaction((tx) =>
    insertAuditEntry(tx, { outcome: 'SUCCESS', requestId: 'command', ...entry }),
  );
}
