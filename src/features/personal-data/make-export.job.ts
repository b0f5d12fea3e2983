import { Readable } from 'node:stream';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { findUser } from '../identity/index.ts';
import { isUserPresent } from './account.repository.ts';
import { encryptToRecipient, generateAgeKeyPair } from './age-encryption.ts';
import {
  claimExport,
  type DataExportRow,
  isExportFileReferenced,
  markExportFailed,
  markExportReady,
} from './data-export.repository.ts';
import { createExportArchive } from './export-archive.ts';
import { createExportFileName, removeExportFile, writeExportFile } from './export-files.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/** The queue of archives to make; its jobs carry only the id of a row. */
export const EXPORT_QUEUE: JobQueueDefinition = {
  name: 'export-data',
  expireInSeconds: 30 * 60,
  retryLimit: 4,
  retryDelay: 10,
};

/** Tries after which an export is given up; fewer than its job has. */
const MAX_ATTEMPTS = 4;

type Services = Omit<PersonalDataServices, 'createIdempotently' | 'jobs' | 'passwords' | 'log'>;

/**
 * Makes the archive of one export by the id in the job: encrypted to the person's own key, or to a new one that is kept
 * encrypted in its row. What ends before its row says READY leaves no file, and can be done again. Given up where the
 * person must encrypt exports by now and gave no key.
 */
export function createMakeExportJob(services: Services): JobHandler {
  const { database, exportsDir } = services;
  return async ({ exportId }) => {
    const row = typeof exportId === 'string' ? await claimExport(database.client, exportId) : null;
    if (!row) return;
    const file = createExportFileName(row.id);
    try {
      await writeArchive(services, row, file);
    } catch (error) {
      // A commit whose answer was lost counts; while the database does not answer the file stays for the clean-up.
      const isNamed = await isExportFileReferenced(database.client, file).catch(() => true);
      if (!isNamed) await removeExportFile(exportsDir, file);
      if (!(await isUserPresent(database.client, row.userId))) return;
      if (row.attempts < MAX_ATTEMPTS) throw error;
      await database.transaction((tx) => failExport(tx, row));
    }
  };
}

/** Gives an export up and records it; nothing happens where it does not wait any more. */
export async function failExport(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<void> {
  if (!(await markExportFailed(tx, id, getExpiryDate()))) return;
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
  if (await requiresKey(database.client)) return database.transaction((tx) => failExport(tx, row));
  const keys = row.recipient === null ? await generateAgeKeyPair() : null;
  const recipient = row.recipient ?? keys?.recipient ?? '';
  const subject = { userId, operation: EXPORT_QUEUE.name, requestId: 'job' };
  const archive = { bytes: 0 };
  const plain = countBytes(createExportArchive(services, subject), archive);
  const fileSize = await writeExportFile(exportsDir, file, await encryptToRecipient(recipient, plain));
  // What is fetched is the file where it is for a key of theirs, and else the archive in it.
  const size = keys ? archive.bytes : fileSize;
  const fileKey = keys && fieldCipher.encrypt(toFileKeyLocation(row), keys.identity);
  const expiresAt = getExpiryDate();
  const isReady = await database.transaction(async (tx) => {
    const user = await findUser(tx, userId);
    // Enterprise mode may have been switched on while the file was written.
    if (await requiresKey(tx)) {
      await failExport(tx, row);
      return false;
    }
    if (!user || !(await markExportReady(tx, id, { file, fileKey, size, expiresAt }))) return false;
    await insertAuditEntry(tx, { ...createAuditFields(userId), action: 'DATA_EXPORTED', outcome: 'SUCCESS' });
    const values = { keptUntil: expiresAt };
    await mailOutbox.enqueue(tx, { template: 'DATA_EXPORTED', to: user.email, values });
    return true;
  });
  if (isReady) mailOutbox.wake();
  else await removeExportFile(exportsDir, file);
}

/** The same stream, with its bytes counted. */
function countBytes(stream: Readable, count: { bytes: number }): Readable {
  async function* countChunks() {
    for await (const chunk of stream) {
      count.bytes += chunk.length;
      yield chunk;
    }
  }
  return Readable.from(countChunks(), { objectMode: false });
}

/** Where the key of an export's file is stored, for its encryption. */
export function toFileKeyLocation({ id, userId }: { id: string; userId: string }) {
  return { table: 'data_exports', column: 'file_key', rowId: id, ownerId: userId };
}

function getExpiryDate(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.dataExport * 1000);
}

function createAuditFields(userId: string) {
  return { resourceId: userId, actorId: userId, operation: EXPORT_QUEUE.name, requestId: 'job' };
}
