import type { Readable } from 'node:stream';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { encryptToAgeRecipient } from '../../shared/crypto/age-encryption.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { EncryptedFileStore, PendingFile } from '../files/index.ts';
import { findUser } from '../identity/index.ts';
import {
  claimDataExport,
  type DataExportRow,
  isCurrentAttempt,
  markDataExportFailed,
  markDataExportReady,
  referenceDataExportFile,
} from './data-export.repository.ts';
import { createDataExportArchive } from './export-archive.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** Queue of exports to create; a job contains only the id of the row. */
export const DATA_EXPORT_QUEUE: JobQueueDefinition = {
  name: 'export-data',
  expireInSeconds: 30 * 60,
  retryLimit: 4,
  retryDelay: 10,
};

/** Attempts after which an export fails; fewer than its job has. */
const MAX_ATTEMPTS = 4;

type Services = Omit<PersonalDataServices, 'createIdempotently' | 'jobs' | 'passwords' | 'log'>;

/**
 * Create the job that stores the archive of an export as a private file. An attempt that fails before the row is READY
 * can be repeated: it removes its file, and the next one removes what a killed one left. The export fails if the user
 * gave no key and by now must encrypt exports.
 */
export function createMakeDataExportJob(services: Services): JobHandler {
  const { database, files } = services;
  return async ({ exportId }) => {
    if (typeof exportId !== 'string') return;
    const row = await database.transaction(async (tx) => {
      const claimed = await claimDataExport(tx, exportId);
      if (claimed?.fileId) await files.remove(tx, [claimed.fileId]);
      return claimed;
    });
    if (!row) return;
    try {
      await makeArchive(services, row);
    } catch (error) {
      // The account was erased, or another attempt has begun since, or the commit succeeded and its response was lost.
      if (!(await isCurrentAttempt(database.client, row))) return;
      if (row.attempts < MAX_ATTEMPTS) throw error;
      await database.transaction((tx) => failDataExport(services, tx, row));
    }
  };
}

/** Fail an export, remove its file and record it, if it is waiting. */
export async function failDataExport(
  { files }: { files: Pick<EncryptedFileStore, 'remove'> },
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  const failed = await markDataExportFailed(tx, id, getExpiryDate());
  if (!failed) return;
  if (failed.fileId) await files.remove(tx, [failed.fileId]);
  await recordFailedDataExport(tx, userId);
}

export async function recordFailedDataExport(tx: Tx, userId: string): Promise<void> {
  await insertAuditEntry(tx, {
    ...createAuditFields(userId),
    action: 'DATA_EXPORT_FAILED',
    outcome: 'FAILURE',
  });
}

async function makeArchive(services: Services, row: DataExportRow): Promise<void> {
  const { database, files } = services;
  if (await isKeyMissing(services, database.client, row))
    return database.transaction((tx) => failDataExport(services, tx, row));
  const subject = { userId: row.userId, operation: DATA_EXPORT_QUEUE.name, requestId: 'job' };
  const archive = createDataExportArchive(services, subject);
  // Also where nothing reads it, since the account was erased or another attempt has begun.
  const file = await storeArchive(services, row, archive).finally(() => archive.destroy());
  let isReady = false;
  try {
    isReady = await finishExport(services, row, file);
  } finally {
    // A file that the row refers to stays.
    if (!isReady) await files.discardPending(file);
  }
}

async function storeArchive(
  { files }: Services,
  row: DataExportRow,
  archive: Readable,
): Promise<PendingFile> {
  const content = row.recipient === null ? archive : await encryptToAgeRecipient(row.recipient, archive);
  return files.store(row.userId, content, {
    maxBytes: Number.POSITIVE_INFINITY,
    async reference(tx, fileId) {
      if (!(await referenceDataExportFile(tx, row, fileId)))
        throw new Error('Another attempt has begun since.');
    },
  });
}

/** Make an export READY; false if it no longer waits for this file. */
async function finishExport(services: Services, row: DataExportRow, file: PendingFile): Promise<boolean> {
  const { database, files, mailOutbox, ownerPagesUrl } = services;
  const { id, userId } = row;
  const expiresAt = getExpiryDate();
  const isReady = await database.transaction(async (tx) => {
    // Enterprise mode may have been switched on while the file was written.
    if (await isKeyMissing(services, tx, row)) {
      await failDataExport(services, tx, row);
      return false;
    }
    const user = await findUser(tx, userId);
    const ready = { size: file.size, expiresAt };
    if (!user || !(await markDataExportReady(tx, { id, fileId: file.id }, ready))) return false;
    await files.commit(tx, file);
    await insertAuditEntry(tx, { ...createAuditFields(userId), action: 'DATA_EXPORTED', outcome: 'SUCCESS' });
    const link = ownerPagesUrl && `${ownerPagesUrl}/${userId}/settings/data`;
    const values = { keptUntil: expiresAt, link };
    await mailOutbox.enqueue(tx, { template: 'DATA_EXPORTED', to: user.email, values });
    return true;
  });
  if (isReady) mailOutbox.wake();
  return isReady;
}

async function isKeyMissing(services: Services, db: Db, row: DataExportRow): Promise<boolean> {
  return row.recipient === null && (await services.mustEncryptExport(db, row.userId));
}

function getExpiryDate(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.dataExport * 1000);
}

function createAuditFields(userId: string) {
  return { resourceId: userId, actorId: userId, operation: DATA_EXPORT_QUEUE.name, requestId: 'job' };
}
