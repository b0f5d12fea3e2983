import type { Database } from '../../platform/database.ts';
import { MIN_UPLOAD_BYTES_PER_SECOND } from '../../platform/http/body-timeout.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import { deleteRemovedFile } from './remove-files.job.ts';
import { listAbandonedFileIds, listRemovedFileIds, markFilesRemoved } from './stored-file.repository.ts';

const CLEAN_UP_BATCH_SIZE = 100;

/** No upload takes longer. */
const MIN_ABANDONED_AGE_MS = 24 * HOUR_MS;

/** Factor for the time that an upload waits for the service beyond its minimum rate. */
const UPLOAD_TIME_MARGIN = 1.25;

/**
 * Delete files that were never committed and those whose job was dropped. Partial files of a killed process
 * have other names and are deleted by the daily repair.
 */
export async function deleteAbandonedFiles(services: {
  database: Database;
  privateFiles: FileStore;
  config: { maxDocumentBytes: number };
}): Promise<void> {
  const { database, config } = services;
  const maxUploadMs = (config.maxDocumentBytes / MIN_UPLOAD_BYTES_PER_SECOND) * 1000 * UPLOAD_TIME_MARGIN;
  const abandonedBefore = new Date(Date.now() - Math.max(MIN_ABANDONED_AGE_MS, maxUploadMs));
  for (let more = true; more; ) {
    const ids = await listAbandonedFileIds(database.client, abandonedBefore, CLEAN_UP_BATCH_SIZE);
    if (ids.length > 0) await database.transaction((tx) => markFilesRemoved(tx, ids));
    for (const id of ids) await deleteRemovedFile(services, id);
    more = ids.length === CLEAN_UP_BATCH_SIZE;
  }
  const removedBefore = new Date(Date.now() - HOUR_MS);
  for (let more = true; more; ) {
    const ids = await listRemovedFileIds(database.client, removedBefore, CLEAN_UP_BATCH_SIZE);
    for (const id of ids) await deleteRemovedFile(services, id);
    more = ids.length === CLEAN_UP_BATCH_SIZE;
  }
}
