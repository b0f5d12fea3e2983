import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Queue } from '../../platform/jobs.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { deleteRemoved, findRemoved } from './stored-file.repository.ts';

/** The queue of private files that nothing names any more; its jobs carry only their ids. */
export const REMOVE_FILES_QUEUE: Queue = {
  name: 'remove-files',
  expireInSeconds: 60,
  retryLimit: 10,
  retryDelay: 30,
};

interface Services {
  database: Pick<Database, 'client'>;
  privateFiles: FileStore;
}

/** Removes the bytes of a file, then its row: while that is there, the next try does it again. */
export async function removeFile({ database, privateFiles }: Services, id: string): Promise<void> {
  const name = await findRemoved(database.client, id);
  if (name === null) return;
  await privateFiles.remove(name);
  await deleteRemoved(database.client, id);
}

/** The job: a file that is gone already is no failure. */
export function removeFilesJob(services: Services): JobHandler {
  return async ({ fileId }) => {
    if (typeof fileId === 'string') await removeFile(services, fileId);
  };
}
