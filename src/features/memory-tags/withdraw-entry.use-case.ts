import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import {
  deleteGuestBookEntry,
  findGuestBookEntryById,
  type GuestBookEntryRow,
} from './guest-book.repository.ts';
import { lockMemoryTag } from './memory-tag.repository.ts';

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
}

/** Lets the author withdraw an entry as long as it exists. */
const withdrawalToken = defineSignedToken({
  purpose: 'guest-book-token',
  parts: { id: isId },
  lifetimeSeconds: null,
});

export function createGuestBookWithdrawalToken(fieldCipher: FieldCipher, id: string): string {
  return withdrawalToken.create(fieldCipher, { id });
}

/** Find the entry of a token. @throws NOT_FOUND */
export async function requireGuestBookEntryByToken(
  { database, fieldCipher }: Services,
  token: string,
): Promise<GuestBookEntryRow> {
  const verified = withdrawalToken.verify(fieldCipher, token, {});
  const row = verified && (await findGuestBookEntryById(database.client, verified.id));
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Delete an entry as its author, regardless of its state and of the code. Returns its id. @throws NOT_FOUND */
export async function withdrawGuestBookEntry(
  services: Services,
  context: RequestContext,
  token: string,
): Promise<string> {
  const { id, memoryTagId } = await requireGuestBookEntryByToken(services, token);
  await services.database.transaction(async (tx) => {
    await lockMemoryTag(tx, memoryTagId);
    if (!(await deleteGuestBookEntry(tx, memoryTagId, id))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { action: 'GUEST_BOOK_ENTRY_WITHDRAWN', resourceId: memoryTagId });
  });
  return id;
}
