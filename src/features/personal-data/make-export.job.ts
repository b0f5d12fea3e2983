import { Readable } from 'node:stream';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { findUser } from '../identity/index.ts';
import { isExistingUser } from './account.repository.ts';
import { encryptToAgeRecipient, generateAgeKeyPair } from './age-encryption.ts';
import {
  claimDataExport,
  type DataExportRow,
  isDataExportFileReferenced,
  markDataExportFailed,
  markDataExportReady,
} from './data-export.repository.ts';
import { createDataExportArchive } from './export-archive.ts';
import { createDataExportFileName, removeDataExportFile, writeDataExportFile } from './export-files.ts';
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
 * Create the job that writes the archive of an export. It is encrypted to the user's own key, or to a new one that is
 * stored encrypted in the row. An attempt that fails before the row is READY can be repeated; its file is deleted. The
 * export fails if the user gave no key and by now must encrypt exports.
 */
export function createMakeDataExportJob(services: Services): JobHandler {
  const { database, exportsDir } = services;
  return async ({ exportId }) => {
    const row = typeof exportId === 'string' ? await claimDataExport(database.client, exportId) : null;
    if (!row) return;
    const file = createDataExportFileName(row.id);
    try {
      await writeArchive(services, row, file);
    } catch (error) {
      // The commit may have succeeded although its response was lost. If that is unknown, the clean-up decides.
      const isNamed = await isDataExportFileReferenced(database.client, file).catch(() => true);
      if (!isNamed) await removeDataExportFile(exportsDir, file);
      if (!(await isExistingUser(database.client, row.userId))) return;
      if (row.attempts < MAX_ATTEMPTS) throw error;
      await database.transaction((tx) => failDataExport(tx, row));
    }
  };
}

/** Fail an export and record it, if it is waiting. */
export async function failDataExport(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<void> {
  if (!(await markDataExportFailed(tx, id, getExpiryDate()))) return;
  await insertAuditEntry(tx, {
    ...createAuditFields(userId),
    action: 'DATA_EXPORT_FAILED',
    outcome: 'FAILURE',
  });
}

async function writeArchive(services: Services, row: DataExportRow, file: string): Promise<void> {
  const { database, fieldCipher, exportsDir, mailOutbox } = services;
  const { id, userId } = row;
  const requiresKey = async (db: Db) =>
    row.recipient === null && (await services.mustEncryptExport(db, userId));
  if (await requiresKey(database.client)) return database.transaction((tx) => failDataExport(tx, row));
  const keys = row.recipient === null ? await generateAgeKeyPair() : null;
  const recipient = row.recipient ?? keys?.recipient ?? '';
  const subject = { userId, operation: DATA_EXPORT_QUEUE.name, requestId: 'job' };
  const archive = { bytes: 0 };
  const plain = countBytes(createDataExportArchive(services, subject), archive);
  const fileSize = await writeDataExportFile(exportsDir, file, await encryptToAgeRecipient(recipient, plain));
  // A download is the encrypted file if the user gave a key, otherwise the decrypted archive.
  const size = keys ? archive.bytes : fileSize;
  const fileKey = keys && fieldCipher.encrypt(toDataExportKeyLocation(row), keys.identity);
  const expiresAt = getExpiryDate();
  const isReady = await database.transaction(async (tx) => {
    const user = await findUser(tx, userId);
    // Enterprise mode may have been switched on while the file was written.
    if (await requiresKey(tx)) {
      await failDataExport(tx, row);
      return false;
    }
    if (!user || !(await markDataExportReady(tx, id, { file, fileKey, size, expiresAt }))) return false;
    await insertAuditEntry(tx, { ...createAuditFields(userId), action: 'DATA_EXPORTED', outcome: 'SUCCESS' });
    const values = { keptUntil: expiresAt };
    await mailOutbox.enqueue(tx, { template: 'DATA_EXPORTED', to: user.email, values });
    return true;
  });
  if (isReady) mailOutbox.wake();
  else await removeDataExportFile(exportsDir, file);
}

/** Pass a stream through and count its bytes. */
function countBytes(stream: Readable, count: { bytes: number }): Readable {
  async function* countChunks() {
    for await (const chunk of stream) {
      count.bytes += chunk.length;
      yield chunk;
    }
  }
  return Readable.from(countChunks(), { objectMode: false });
}

export function toDataExportKeyLocation({ id, userId }: { id: string; userId: string }) {
  return { table: 'data_exports', column: 'file_key', rowId: id, ownerId: userId };
}

function getExpiryDate(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.dataExport * 1000);
}

function createAuditFields(userId: string) {
  return { resourceId: userId, actorId: userId, operation: DATA_EXPORT_QUEUE.name, requestId: 'job' };
}
