import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { deleteEntry, type EntryRow, findEntryOfAny } from './guest-book.repository.ts';
import { holdMemoryTag } from './memory-tag.repository.ts';

/** What the writer's side of a guest book works with. */
interface Services {
  database: Database;
  vault: Vault;
}

/**
 * The token by which whoever wrote an entry of a guest book withdraws it: its id and a keyed hash over the id. Derived each
 * time and stored nowhere; it lasts as long as the entry.
 */
export function entryToken(vault: Vault, id: string): string {
  return `${id}.${signature(vault, id)}`;
}

/** The entry that a token is of. Throws NOT_FOUND for one that is none, and where the entry is gone. */
export async function entryOfToken({ database, vault }: Services, token: string): Promise<EntryRow> {
  const [id = '', given = ''] = token.split('.');
  const isOurs = isId(id) && sameBytes(given, signature(vault, id));
  const row = isOurs ? await findEntryOfAny(database.client, id) : null;
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/**
 * Deletes an entry for whoever wrote it, whatever was decided about it and whatever became of the code; answers its id.
 * Throws as `entryOfToken`.
 */
export async function withdrawEntry(services: Services, caller: Caller, token: string): Promise<string> {
  const { id, memoryTagId } = await entryOfToken(services, token);
  await services.database.transaction(async (tx) => {
    await holdMemoryTag(tx, memoryTagId);
    if (!(await deleteEntry(tx, memoryTagId, id))) throw new ServiceError('NOT_FOUND');
    await recordAction(tx, caller, { action: 'GUEST_BOOK_ENTRY_WITHDRAWN', resourceId: memoryTagId });
  });
  return id;
}

function signature(vault: Vault, id: string): string {
  return vault.hash('guest-book-token', id).toString('base64url');
}
