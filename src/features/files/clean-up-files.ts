import type { Database } from '../../platform/database.ts';
import { SLOWEST_BYTES_PER_SECOND } from '../../platform/http/slow-bodies.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { removeFile } from './remove-files.job.ts';
import { listAbandoned, listRemoved, markRemoved } from './stored-file.repository.ts';

const AT_ONCE = 100;

const HOUR = 60 * 60 * 1000;

/** Milliseconds after which nobody writes a file any more. */
const ABANDONED = 24 * HOUR;

/** What the longest upload may take beyond its slowest pace, while it waits for the service itself. */
const MARGIN = 1.25;

/**
 * Removes files that nothing came to name, and those whose job was given up. What a kill left half written has another name,
 * and goes with the daily comparison of files and rows.
 */
export async function cleanUpFiles(services: {
  database: Database;
  privateFiles: FileStore;
  config: { maxDocumentBytes: number };
}): Promise<void> {
  const { database, config } = services;
  const longest = (config.maxDocumentBytes / SLOWEST_BYTES_PER_SECOND) * 1000 * MARGIN;
  const abandonedBefore = new Date(Date.now() - Math.max(ABANDONED, longest));
  for (let more = true; more; ) {
    const ids = await listAbandoned(database.client, abandonedBefore, AT_ONCE);
    if (ids.length > 0) await database.transaction((tx) => markRemoved(tx, ids));
    for (const id of ids) await removeFile(services, id);
    more = ids.length === AT_ONCE;
  }
  const removedBefore = new Date(Date.now() - HOUR);
  for (let more = true; more; ) {
    const ids = await listRemoved(database.client, removedBefore, AT_ONCE);
    for (const id of ids) await removeFile(services, id);
    more = ids.length === AT_ONCE;
  }
}
