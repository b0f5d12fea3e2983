import type { Database } from '../../platform/database.ts';
import type { EventObjectReader } from '../../platform/event-objects.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findGuestBookEntry } from './guest-book.repository.ts';
import { toGuestBookEntryView } from './guest-book.view.ts';

/** Create the reader of the entry of an event, as GET /api/memory-tags/{id}/guest-book lists it. */
export function createGuestBookEventReader({
  database: { client },
  fieldCipher,
}: {
  database: Database;
  fieldCipher: FieldCipher;
}): EventObjectReader {
  return async ({ accountId }, { id, memoryTagId = '' }) => {
    const row = await findGuestBookEntry(client, memoryTagId, id);
    if (row?.accountId !== accountId) throw new ServiceError('NOT_FOUND');
    return toGuestBookEntryView(fieldCipher, row);
  };
}
