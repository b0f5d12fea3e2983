import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { deleteRemovedFileRow, findRemovedFileName } from './stored-file.repository.ts';

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
  const name = await findRemovedFileName(database.client, id);
  if (name === null) return;
  await privateFiles.remove(name);
  await deleteRemovedFileRow(database.client, id);
}

export function createRemoveFilesJob(services: RemoveFileServices): JobHandler {
  return async ({ fileId }) => {
    if (typeof fileId === 'string') await deleteRemovedFile(services, fileId);
  };
}
