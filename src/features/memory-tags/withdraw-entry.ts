import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import {
  deleteGuestBookEntry,
  findGuestBookEntryById,
  type GuestBookEntryRow,
} from './guest-book.repository.ts';
import { lockMemoryTag } from './memory-tag.repository.ts';

/** What the writer's side of a guest book works with. */
interface Services {
  database: Database;
  fieldCipher: FieldCipher;
}

/**
 * The token by which whoever wrote an entry of a guest book withdraws it: its id and a keyed hash over the id. Derived each
 * time and stored nowhere; it lasts as long as the entry.
 */
export function createGuestBookEntryToken(fieldCipher: FieldCipher, id: string): string {
  return `${id}.${computeSignature(fieldCipher, id)}`;
}

/** The entry that a token is of. Throws NOT_FOUND for one that is none, and where the entry is gone. */
export async function getGuestBookEntryByToken(
  { database, fieldCipher }: Services,
  token: string,
): Promise<GuestBookEntryRow> {
  const [id = '', receivedSignature = ''] = token.split('.');
  const isValid = isId(id) && timingSafeEquals(receivedSignature, computeSignature(fieldCipher, id));
  const row = isValid ? await findGuestBookEntryById(database.client, id) : null;
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/**
 * Deletes an entry for whoever wrote it, whatever was decided about it and whatever became of the code; answers its id.
 * Throws as `entryOfToken`.
 */
export async function withdrawGuestBookEntry(
  services: Services,
  context: RequestContext,
  token: string,
): Promise<string> {
  const { id, memoryTagId } = await getGuestBookEntryByToken(services, token);
  await services.database.transaction(async (tx) => {
    await lockMemoryTag(tx, memoryTagId);
    if (!(await deleteGuestBookEntry(tx, memoryTagId, id))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { action: 'GUEST_BOOK_ENTRY_WITHDRAWN', resourceId: memoryTagId });
  });
  return id;
}

function computeSignature(fieldCipher: FieldCipher, id: string): string {
  return fieldCipher.hash('guest-book-token', id).toString('base64url');
}
