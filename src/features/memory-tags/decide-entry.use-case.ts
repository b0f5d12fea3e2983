import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { getGuestBookRestoreCutoff } from './deleted-entries.ts';
import {
  countPendingEntries,
  findDeletedGuestBookEntry,
  findGuestBookEntry,
  type GuestBookEntryRow,
  restoreGuestBookEntry,
  softDeleteGuestBookEntry,
  updateGuestBookEntryState,
} from './guest-book.repository.ts';
import { MAX_PENDING_ENTRIES } from './guest-book.schemas.ts';
import { lockEditableMemoryTag, lockOwnMemoryTag } from './memory-tag-access.ts';

const AUDIT_ACTION_BY_STATE = {
  APPROVED: 'GUEST_BOOK_ENTRY_APPROVED',
  HIDDEN: 'GUEST_BOOK_ENTRY_HIDDEN',
} as const;

export interface EntryDecision {
  memoryTagId: string;
  entryId: string;
  state: keyof typeof AUDIT_ACTION_BY_STATE;
}

/** Approve or hide an entry as the owner or a caretaker. A repeat changes nothing. @throws NOT_FOUND */
export function decideGuestBookEntry(
  database: Database,
  context: RequestContext,
  userId: string,
  { memoryTagId, entryId, state }: EntryDecision,
): Promise<GuestBookEntryRow> {
  return database.transaction(async (tx) => {
    await lockEditableMemoryTag(tx, userId, memoryTagId);
    const before = await findGuestBookEntry(tx, memoryTagId, entryId);
    if (!before) throw new ServiceError('NOT_FOUND');
    if (before.state === state) return before;
    await recordAuditEntry(tx, context, { action: AUDIT_ACTION_BY_STATE[state], resourceId: memoryTagId });
    return updateGuestBookEntryState(tx, entryId, state);
  });
}

/** Delete an entry as the owner; it can be restored. @throws NOT_FOUND, FORBIDDEN for a caretaker */
export function removeGuestBookEntry(
  database: Database,
  context: RequestContext,
  userId: string,
  { memoryTagId, entryId }: Pick<EntryDecision, 'memoryTagId' | 'entryId'>,
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockOwnMemoryTag(tx, userId, memoryTagId);
    if (!(await softDeleteGuestBookEntry(tx, memoryTagId, entryId))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: memoryTagId });
  });
}

/**
 * Restore a deleted entry as the owner, as visible as it was.
 * @throws NOT_FOUND, FORBIDDEN for a caretaker, TOO_MANY_PENDING_ENTRIES for one that is to be decided
 */
export function restoreDeletedGuestBookEntry(
  database: Database,
  context: RequestContext,
  userId: string,
  { memoryTagId, entryId }: Pick<EntryDecision, 'memoryTagId' | 'entryId'>,
): Promise<GuestBookEntryRow> {
  return database.transaction(async (tx) => {
    await lockOwnMemoryTag(tx, userId, memoryTagId);
    const row = await findDeletedGuestBookEntry(tx, memoryTagId, entryId, getGuestBookRestoreCutoff());
    if (!row) throw new ServiceError('NOT_FOUND');
    if (row.state === 'PENDING' && (await countPendingEntries(tx, memoryTagId)) >= MAX_PENDING_ENTRIES)
      throw new ServiceError('TOO_MANY_PENDING_ENTRIES');
    await recordAuditEntry(tx, context, { action: 'GUEST_BOOK_ENTRY_RESTORED', resourceId: memoryTagId });
    return restoreGuestBookEntry(tx, entryId);
  });
}
