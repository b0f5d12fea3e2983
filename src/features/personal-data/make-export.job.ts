import { Readable } from 'node:stream';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Db, Tx } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { findUser } from '../accounts/user.repository.ts';
import { encryptTo, newAgeKeys } from './age-encryption.ts';
import {
  type DataExportRow,
  isExportFileNamed,
  markFailed,
  markReady,
  takeExport,
} from './data-export.repository.ts';
import { exportArchive } from './export-archive.ts';
import { exportFileName, removeExport, writeExport } from './export-files.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { isLiving } from './personal-rows.repository.ts';

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
export function makeExportJob(services: Services): JobHandler {
  const { database, exportsDir } = services;
  return async ({ exportId }) => {
    const row = typeof exportId === 'string' ? await takeExport(database.client, exportId) : null;
    if (!row) return;
    const file = exportFileName(row.id);
    try {
      await makeArchive(services, row, file);
    } catch (error) {
      // A commit whose answer was lost counts; while the database does not answer the file stays for the clean-up.
      const isNamed = await isExportFileNamed(database.client, file).catch(() => true);
      if (!isNamed) await removeExport(exportsDir, file);
      if (!(await isLiving(database.client, row.userId))) return;
      if (row.attempts < MAX_ATTEMPTS) throw error;
      await database.transaction((tx) => giveUpExport(tx, row));
    }
  };
}

/** Gives an export up and records it; nothing happens where it does not wait any more. */
export async function giveUpExport(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<void> {
  if (!(await markFailed(tx, id, keptUntil()))) return;
  await insertAuditEntry(tx, { ...entry(userId), action: 'DATA_EXPORT_FAILED', outcome: 'FAILURE' });
}

async function makeArchive(services: Services, row: DataExportRow, file: string): Promise<void> {
  const { database, fieldCipher, exportsDir, mailOutbox } = services;
  const { id, userId } = row;
  const mayNotMake = async (db: Db) =>
    row.recipient === null && (await services.mustEncryptExport(db, userId));
  if (await mayNotMake(database.client)) return database.transaction((tx) => giveUpExport(tx, row));
  const keys = row.recipient === null ? await newAgeKeys() : null;
  const recipient = row.recipient ?? keys?.recipient ?? '';
  const subject = { userId, operation: EXPORT_QUEUE.name, requestId: 'job' };
  const archive = { bytes: 0 };
  const plain = counted(exportArchive(services, subject), archive);
  const fileSize = await writeExport(exportsDir, file, await encryptTo(recipient, plain));
  // What is fetched is the file where it is for a key of theirs, and else the archive in it.
  const size = keys ? archive.bytes : fileSize;
  const fileKey = keys && fieldCipher.seal(fileKeyPlace(row), keys.identity);
  const expiresAt = keptUntil();
  const isReady = await database.transaction(async (tx) => {
    const person = await findUser(tx, userId);
    // Enterprise mode may have been switched on while the file was written.
    if (await mayNotMake(tx)) {
      await giveUpExport(tx, row);
      return false;
    }
    if (!person || !(await markReady(tx, id, { file, fileKey, size, expiresAt }))) return false;
    await insertAuditEntry(tx, { ...entry(userId), action: 'DATA_EXPORTED', outcome: 'SUCCESS' });
    const values = { keptUntil: expiresAt };
    await mailOutbox.post(tx, { template: 'DATA_EXPORTED', to: person.email, values });
    return true;
  });
  if (isReady) mailOutbox.wake();
  else await removeExport(exportsDir, file);
}

/** The same stream, with its bytes counted. */
function counted(stream: Readable, count: { bytes: number }): Readable {
  async function* pieces() {
    for await (const piece of stream) {
      count.bytes += piece.length;
      yield piece;
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}

/** Where the key of an export's file is stored, for its encryption. */
export function fileKeyPlace({ id, userId }: { id: string; userId: string }) {
  return { table: 'data_exports', column: 'file_key', rowId: id, ownerId: userId };
}

function keptUntil(): Date {
  return new Date(Date.now() + LIFETIMES_SECONDS.dataExport * 1000);
}

function entry(userId: string) {
  return { resourceId: userId, actorId: userId, operation: EXPORT_QUEUE.name, requestId: 'job' };
}
