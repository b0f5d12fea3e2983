import type { Database } from '../../platform/database.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { createTimeSort } from '../../shared/list-cursor.ts';
import { removeDeletedGuestBookEntries } from './guest-book.repository.ts';

const BATCH_SIZE = 500;

/** The order of lists of deleted entries. */
export const LAST_DELETED_FIRST = createTimeSort(
  '-deletedAt',
  ({ deletedAt }: { id: string; deletedAt: Date | null }) => deletedAt ?? new Date(0),
);

/** Entries that were deleted before are gone. */
export function getGuestBookRestoreCutoff(): Date {
  return new Date(Date.now() - LIFETIMES_SECONDS.deletedGuestBookEntry * 1000);
}

/** Remove deleted entries that can no longer be restored. */
export async function purgeDeletedGuestBookEntries({ client }: Pick<Database, 'client'>): Promise<void> {
  const cutoff = getGuestBookRestoreCutoff();
  while ((await removeDeletedGuestBookEntries(client, cutoff, BATCH_SIZE)) === BATCH_SIZE);
}
