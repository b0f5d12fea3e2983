import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { TolerantReader } from '../../platform/report-integrity-failures.ts';
import type { GuestBookEntryRow } from './guest-book.repository.ts';
import { GUEST_BOOK_ENTRY_STATES, type GuestBookEntry } from './guest-book.schemas.ts';
import { GUEST_BOOK_ENTRY } from './guest-book-content.ts';

/** Convert an entry to the view of owner and caretakers. @throws DATA_INTEGRITY unless it is read tolerantly */
export function toGuestBookEntryView(
  fieldCipher: FieldCipher,
  row: GuestBookEntryRow,
  readTolerantly: TolerantReader = (read) => read(),
): Static<typeof GuestBookEntry> {
  const { id, decidedAt, createdAt } = row;
  const content = readTolerantly(() => GUEST_BOOK_ENTRY.decrypt(fieldCipher, row));
  return {
    id,
    name: content?.name ?? null,
    message: content?.message ?? null,
    status: GUEST_BOOK_ENTRY_STATES.find((state) => state === row.state) ?? 'PENDING',
    decidedAt: decidedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
