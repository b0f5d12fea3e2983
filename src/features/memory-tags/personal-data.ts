import { type Static, Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedRows,
  definePersonalData,
  defineTableDeletedOnErasure,
  type PersonalDataViewContext,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { type Metadata, REFERENCE_FIELDS } from '../../shared/metadata.schemas.ts';
import { deleteUnlinkedCaretakers } from './caretaker.repository.ts';
import { CARETAKER_EMAIL, hashCaretakerEmail } from './caretaker-email.ts';
import { GUEST_BOOK_ENTRY } from './guest-book-content.ts';
import { parseMemoryTagPlaces } from './memory-tag.view.ts';
import { MemoryTagPlace } from './memory-tags.schemas.ts';
import { eraseMemoryTags, findCaretakersByIds, findMemoryTagsByIds } from './personal-data.repository.ts';

const Text = Type.String();

const ExportedMemoryTag = Type.Object({
  id: Id,
  qrCodeId: nullable(Id),
  name: Text,
  ...REFERENCE_FIELDS,
  subject: Text,
  bornOn: nullable(Type.String({ description: 'YYYY, YYYY-MM or YYYY-MM-DD' })),
  diedOn: nullable(Type.String({ description: 'YYYY, YYYY-MM or YYYY-MM-DD' })),
  epitaph: nullable(Text),
  story: nullable(Text),
  places: Type.Array(MemoryTagPlace),
  guestBookOpen: Type.Boolean(),
  anniversaryReminders: Type.Boolean(),
  guestBook: Type.Array(
    Type.Object({ name: nullable(Text), message: nullable(Text), status: Text, createdAt: Timestamp }),
    { description: 'Entries of visitors, newest first.' },
  ),
  caretakers: Type.Array(Type.Object({ email: nullable(Text), createdAt: Timestamp }), {
    description: 'Caretakers, by the addresses that you entered.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const TEXT_BYTES = 'coalesce(octet_length(story), 0) + coalesce(octet_length(epitaph), 0)';

type MemoryTagRow = Awaited<ReturnType<typeof findMemoryTagsByIds>>[number];

export const memoryTagsPersonalData = definePersonalData({
  tables: {
    memory_tags: defineTableDeletedOnErasure(
      { in: 'memoryTags' },
      { erase: eraseMemoryTags, size: { users: ['account_id'], bytes: TEXT_BYTES } },
    ),
    guest_book_entries: defineTableDeletedOnErasure(
      { in: 'memoryTags' },
      {
        how: 'Entries of the account’s memory tags, also deleted ones, which an export does not have.',
        erase: createRowDeletionStep('guest_book_entries', 'account_id'),
        size: { users: ['account_id'] },
      },
    ),
    memory_tag_caretakers: defineTableDeletedOnErasure(
      { in: 'memoryTags, memoryTagsCaredFor' },
      {
        how: 'Caretakers of the account’s memory tags, and rows of other memory tags that name the account or its address.',
        eraseWithAccount: (tx, { email, fieldCipher }) =>
          deleteUnlinkedCaretakers(tx, hashCaretakerEmail(fieldCipher, email)),
        erase: createRowDeletionStep('memory_tag_caretakers', 'user_id'),
      },
    ),
  },
  lists: {
    memoryTags: defineExportedRows({
      item: ExportedMemoryTag,
      description: 'Newest first.',
      sources: [
        {
          table: 'memory_tags',
          user: 'account_id',
          at: 'created_at',
          bytes: `${TEXT_BYTES} + coalesce(
            (SELECT sum(octet_length(content)) FROM guest_book_entries WHERE memory_tag_id = memory_tags.id), 0)::int`,
        },
      ],
      findByIds: findMemoryTagsByIds,
      toItem: toExportedMemoryTag,
    }),
    memoryTagsCaredFor: defineExportedRows({
      item: Type.Object({ memoryTagId: Id, name: Text, since: Timestamp }),
      description: 'Memory tags of others that you are a caretaker of, newest first.',
      sources: [{ table: 'memory_tag_caretakers', user: 'user_id', at: 'created_at' }],
      findByIds: findCaretakersByIds,
      toItem: (_context, row) => ({
        memoryTagId: row.memoryTagId,
        name: row.memoryTag.name,
        since: row.createdAt.toISOString(),
      }),
    }),
  },
});

function toExportedMemoryTag(
  { fieldCipher, onIntegrityFailure }: PersonalDataViewContext,
  row: MemoryTagRow,
): Static<typeof ExportedMemoryTag> {
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    name: row.name,
    externalId: row.externalId,
    metadata: row.metadata as Metadata,
    subject: row.subject,
    bornOn: row.bornOn,
    diedOn: row.diedOn,
    epitaph: row.epitaph,
    story: row.story,
    places: parseMemoryTagPlaces(row),
    guestBookOpen: row.guestBookOpen,
    anniversaryReminders: row.anniversaryReminders,
    guestBook: row.entries.map((entry) => {
      const content = readOrReportIntegrityFailure(
        () => GUEST_BOOK_ENTRY.decrypt(fieldCipher, entry),
        onIntegrityFailure,
      );
      return {
        name: content?.name ?? null,
        message: content?.message ?? null,
        status: entry.state,
        createdAt: entry.createdAt.toISOString(),
      };
    }),
    caretakers: row.caretakers.map((caretaker) => ({
      email: readOrReportIntegrityFailure(
        () => CARETAKER_EMAIL.decrypt(fieldCipher, caretaker),
        onIntegrityFailure,
      ),
      createdAt: caretaker.createdAt.toISOString(),
    })),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
