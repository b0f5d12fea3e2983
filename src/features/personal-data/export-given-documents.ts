import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import { findUser } from '../accounts/user.repository.ts';
import { listReceivedDocuments } from '../document-grants/grant.repository.ts';
import { toReceivedDocumentView } from '../document-grants/grant.view.ts';
import { hashGrantEmail } from '../document-grants/grant-email.ts';

/** What others gave a person to read, newest first, some at a time: what it is, and not its content. Throws NOT_FOUND. */
export async function* documentsGiven(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  userId: string,
  atOnce: number,
): AsyncGenerator<object[]> {
  const person = await findUser(database.client, userId);
  if (!person) throw new ServiceError('NOT_FOUND');
  const emailHash = hashGrantEmail(fieldCipher, person.email);
  for (let after: TimeCursor | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof listReceivedDocuments>> = await listReceivedDocuments(
      database.client,
      emailHash,
      after,
      atOnce,
    );
    yield rows.map(toReceivedDocumentView);
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = { at: last.createdAt, id: last.id };
  }
}
