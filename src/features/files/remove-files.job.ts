import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { deleteRemovedFileRow, findRemovedFile } from './stored-file.repository.ts';

/** The queue of removed files; its jobs hold only ids. */
export const REMOVE_FILES_QUEUE: JobQueueDefinition = {
  name: 'remove-files',
  expireInSeconds: 60,
  retryLimit: 10,
  retryDelay: 30,
};

interface RemoveFileServices {
  database: Pick<Database, 'client'>;
  privateFiles: FileStore;
}

/** Delete the bytes, then the row, so that a retry repeats both. */
export async function deleteRemovedFile(
  { database, privateFiles }: RemoveFileServices,
  id: string,
): Promise<void> {
  const file = await findRemovedFile(database.client, id);
  if (file === null) return;
  // Its writer may have been killed.
  if (file.storedAt === null) await privateFiles.removeUnfinished(file.name);
  await privateFiles.remove(file.name);
  await deleteRemovedFileRow(database.client, id);
}

export function createRemoveFilesJob(services: RemoveFileServices): JobHandler {
  return async ({ fileId }) => {
    if (typeof fileId === 'string') await deleteRemovedFile(services, fileId);
  };
}
