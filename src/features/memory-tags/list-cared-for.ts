import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import { linkCaretakersToUser, listCaredForMemoryTags } from './caretaker.repository.ts';
import { hashCaretakerEmail } from './caretaker-email.ts';

/** List the memory tags that a user is a caretaker of, also those of before the account existed. */
export async function listOwnCaredForMemoryTags(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  { id, email }: { id: string; email: string },
  range: ListRange,
): ReturnType<typeof listCaredForMemoryTags> {
  await linkCaretakersToUser(database.client, email, hashCaretakerEmail(fieldCipher, email));
  return listCaredForMemoryTags(database.client, id, range);
}
