import type { Database } from '../../platform/database.ts';
import { MIN_FORM_BYTES_PER_SECOND } from '../../platform/http/body-timeout.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { deleteRemovedFile } from './remove-files.job.ts';
import { listAbandonedFiles, listRemovedFiles, markFilesRemoved } from './stored-file.repository.ts';

const CLEAN_UP_BATCH_SIZE = 100;

const HOUR_MS = 60 * 60 * 1000;

/** Milliseconds after which nobody writes a file any more. */
const MIN_ABANDONED_AGE_MS = 24 * HOUR_MS;

/** What the longest upload may take beyond its slowest pace, while it waits for the service itself. */
const UPLOAD_TIME_MARGIN = 1.25;

/**
 * Removes files that nothing came to name, and those whose job was given up. What a kill left half written has another name,
 * and goes with the daily comparison of files and rows.
 */
export async function deleteAbandonedFiles(services: {
  database: Database;
  privateFiles: FileStore;
  config: { maxDocumentBytes: number };
}): Promise<void> {
  const { database, config } = services;
  const longest = (config.maxDocumentBytes / MIN_FORM_BYTES_PER_SECOND) * 1000 * UPLOAD_TIME_MARGIN;
  const abandonedBefore = new Date(Date.now() - Math.max(MIN_ABANDONED_AGE_MS, longest));
  for (let more = true; more; ) {
    const ids = await listAbandonedFiles(database.client, abandonedBefore, CLEAN_UP_BATCH_SIZE);
    if (ids.length > 0) await database.transaction((tx) => markFilesRemoved(tx, ids));
    for (const id of ids) await deleteRemovedFile(services, id);
    more = ids.length === CLEAN_UP_BATCH_SIZE;
  }
  const removedBefore = new Date(Date.now() - HOUR_MS);
  for (let more = true; more; ) {
    const ids = await listRemovedFiles(database.client, removedBefore, CLEAN_UP_BATCH_SIZE);
    for (const id of ids) await deleteRemovedFile(services, id);
    more = ids.length === CLEAN_UP_BATCH_SIZE;
  }
}
