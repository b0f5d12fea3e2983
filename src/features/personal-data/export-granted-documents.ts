import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import { hashGrantEmail, listReceivedDocuments, toReceivedDocumentView } from '../documents/index.ts';
import { findUser } from '../identity/index.ts';

/** What others gave a person to read, newest first, some at a time: what it is, and not its content. Throws NOT_FOUND. */
export async function* readGrantedDocuments(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  userId: string,
  batchSize: number,
): AsyncGenerator<object[]> {
  const user = await findUser(database.client, userId);
  if (!user) throw new ServiceError('NOT_FOUND');
  const emailHash = hashGrantEmail(fieldCipher, user.email);
  for (let after: TimeCursor | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof listReceivedDocuments>> = await listReceivedDocuments(
      database.client,
      emailHash,
      after,
      batchSize,
    );
    yield rows.map(toReceivedDocumentView);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = { at: last.createdAt, id: last.id };
  }
}
