import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { isValidAgeRecipient } from '../../shared/crypto/age-encryption.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { type DataExportRow, findUsableDataExport, insertDataExport } from './data-export.repository.ts';
import { DATA_EXPORT_QUEUE } from './make-export.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** Archives per user and day; reading all data of a user is expensive. */
const MAX_EXPORTS_PER_DAY = 10;

/**
 * Validate the key that an archive is to be encrypted to; null if none was sent.
 * @throws VALIDATION_FAILED for `field` if it is not a key, EXPORT_KEY_REQUIRED if it is missing and required
 */
export async function validateDataExportRecipient(
  { database, mustEncryptExport }: Pick<PersonalDataServices, 'database' | 'mustEncryptExport'>,
  userId: string,
  recipient: string | undefined,
  field: string,
): Promise<string | null> {
  if (recipient === undefined) {
    if (await mustEncryptExport(database.client, userId)) throw new ServiceError('EXPORT_KEY_REQUIRED');
    return null;
  }
  const problems = await findDataExportRecipientErrors(recipient, field);
  if (problems.length > 0) throw createValidationError(...problems);
  return recipient;
}

export async function findDataExportRecipientErrors(
  recipient: string | undefined,
  field: string,
): Promise<FieldError[]> {
  if (recipient === undefined || (await isValidAgeRecipient(recipient))) return [];
  return [{ field, code: 'INVALID', message: 'Must be the public key of an age identity: age1….' }];
}

/** Count an archive against the user's daily limit. @throws RATE_LIMITED */
async function consumeDataExportAttempt(
  { fieldCipher }: Pick<PersonalDataServices, 'fieldCipher'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  const key = `data-export:${fieldCipher.hash('data-export', userId).toString('hex')}`;
  await consumeAttempts(tx, [{ key, allowed: MAX_EXPORTS_PER_DAY, windowSeconds: DAY_SECONDS }]);
}

/**
 * Insert an export and enqueue its job. Wake the queue after the commit.
 * @throws EXPORT_IN_PROGRESS, RATE_LIMITED
 */
export async function requestDataExport(
  services: Pick<PersonalDataServices, 'fieldCipher' | 'jobs'>,
  context: RequestContext,
  tx: Tx,
  input: { userId: string; recipient: string | null },
): Promise<DataExportRow> {
  await consumeDataExportAttempt(services, tx, input.userId);
  const row = await insertDataExport(tx, input.userId, input.recipient);
  if (!row) throw new ServiceError('EXPORT_IN_PROGRESS');
  await services.jobs.enqueue(tx, DATA_EXPORT_QUEUE, { exportId: row.id });
  await recordAuditEntry(tx, context, { action: 'DATA_EXPORT_REQUESTED', resourceId: input.userId });
  return row;
}

/**
 * Find a waiting or ready export for this key, or request a new one.
 * @throws EXPORT_IN_PROGRESS if an export for another key is waiting, RATE_LIMITED
 */
export async function findOrRequestDataExport(
  services: Pick<PersonalDataServices, 'database' | 'fieldCipher' | 'jobs'>,
  context: RequestContext,
  input: { userId: string; recipient: string | null },
): Promise<DataExportRow> {
  const { database } = services;
  const find = () => findUsableDataExport(database.client, input.userId, input.recipient);
  const existing = await find();
  if (existing) return existing;
  try {
    return await database.transaction((tx) => requestDataExport(services, context, tx, input));
  } catch (error) {
    // A concurrent request may have inserted it.
    const concurrent = error instanceof ServiceError && error.code === 'EXPORT_IN_PROGRESS' && (await find());
    if (concurrent) return concurrent;
    throw error;
  }
}

/** Count and audit an archive that is sent in the response, and tell the user by mail. @throws RATE_LIMITED */
export async function recordImmediateDataExport(
  services: Pick<PersonalDataServices, 'database' | 'fieldCipher' | 'mailOutbox'>,
  context: RequestContext,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const { database, mailOutbox } = services;
  await database.transaction(async (tx) => {
    await consumeDataExportAttempt(services, tx, id);
    await recordAuditEntry(tx, context, { resourceId: id });
    const values = { keptUntil: null, link: null };
    await mailOutbox.enqueue(tx, { template: 'DATA_EXPORTED', to: email, values });
  });
  mailOutbox.wake();
}
