import type { Readable } from 'node:stream';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { readOrReportIntegrityFailure } from '../../../platform/integrity-failure.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createZipStream, createZipTextEntry, type ZipEntry } from '../../../platform/zip-stream.ts';
import type { Brand } from '../../../shared/brand.ts';
import type { IntegrityFailure } from '../../../shared/errors.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { listPictures, type PictureRow } from '../../files/index.ts';
import {
  GUEST_BOOK_ENTRY,
  listGuestBookEntriesAfter,
  type MemoryTagRow,
  toMemoryTagListItemView,
} from '../../memory-tags/index.ts';
import {
  type ArchivedPictureServices,
  getArchivePictureEntryName,
  openOriginalPicture,
  recordIntegrityFailure,
  renderArchivePicture,
  toArchivePictureMetadata,
} from './archived-pictures.ts';
import {
  type ArchivedGuestBookEntry,
  renderArchivedGuestBookEntries,
  renderEmbeddedPicture,
  renderGuestBookTitle,
  renderMemorialDocumentEnd,
  renderMemorialDocumentHead,
  renderMemorialPicturesTitle,
  renderMissingPicture,
  renderUnreadableGuestBookEntriesNote,
} from './memorial-document.ts';

const BATCH_SIZE = 100;

interface ArchiveContent {
  tag: MemoryTagRow;
  pictures: readonly PictureRow[];
}

export interface MemorialArchiveServices extends ArchivedPictureServices {
  brand: Pick<Brand, 'color'>;
  fieldCipher: FieldCipher;
}

type Services = MemorialArchiveServices;

/** Create a zip while it is read; entries that fail their integrity check are left out and audited. */
export function createMemorialArchive(
  services: Services,
  context: RequestContext,
  tag: MemoryTagRow,
  locale: Locale,
): Readable {
  return createZipStream(generateFiles(services, context, tag, locale));
}

async function* generateFiles(
  services: Services,
  context: RequestContext,
  tag: MemoryTagRow,
  locale: Locale,
): AsyncGenerator<ZipEntry> {
  const pictures = await listPictures(services.database.client, tag.accountId, { memoryTagId: tag.id });
  yield createZipTextEntry('index.html', generatePage(services, context, { tag, pictures }, locale));
  const integrityByPicture = new Map<string, boolean>();
  for (const picture of pictures) {
    const content = await openOriginalPicture(services, context, picture, (isWhole) =>
      integrityByPicture.set(picture.id, isWhole),
    );
    if (!content) continue;
    try {
      // Pictures are compressed already.
      yield { name: getArchivePictureEntryName(picture), compress: false, open: () => content };
    } finally {
      // Also if nobody reads it.
      content.destroy();
    }
  }
  // Last, because it lists which pictures could be read.
  yield createZipTextEntry(
    'memory-tag.json',
    generateJson(services, context, { tag, pictures }, integrityByPicture),
  );
}

async function* generatePage(
  services: Services,
  context: RequestContext,
  { tag, pictures }: ArchiveContent,
  locale: Locale,
): AsyncGenerator<string> {
  yield renderMemorialDocumentHead(services.brand, tag, locale).markup;
  if (pictures.length > 0) yield renderMemorialPicturesTitle(locale).markup;
  for (const picture of pictures) {
    const rendition = await renderArchivePicture(services, context, picture);
    yield (
      rendition ? renderEmbeddedPicture(picture, rendition, locale) : renderMissingPicture(picture, locale)
    ).markup;
  }
  let isFirst = true;
  let missing = 0;
  for await (const { entries, unreadable } of readApprovedEntries(services, context, tag)) {
    if (isFirst) yield renderGuestBookTitle(locale).markup;
    isFirst = false;
    if (entries.length > 0) yield renderArchivedGuestBookEntries(entries, locale).markup;
    missing += unreadable;
  }
  if (missing > 0) yield renderUnreadableGuestBookEntriesNote(missing, locale).markup;
  yield renderMemorialDocumentEnd().markup;
}

async function* generateJson(
  services: Services,
  context: RequestContext,
  { tag, pictures }: ArchiveContent,
  integrityByPicture: ReadonlyMap<string, boolean>,
): AsyncGenerator<string> {
  const { name, subject, bornOn, diedOn, epitaph, story, places } = toMemoryTagListItemView(tag);
  const head = { format: 'memory-tag', version: 1, madeAt: new Date().toISOString() };
  const document = {
    ...head,
    name,
    subject,
    bornOn,
    diedOn,
    epitaph,
    story,
    places,
    pictures: pictures.map((picture) =>
      toArchivePictureMetadata(picture, integrityByPicture.get(picture.id)),
    ),
  };
  yield `${JSON.stringify(document, null, 2).slice(0, -2)},\n  "guestBook": [`;
  let separator = '\n';
  let missing = 0;
  for await (const { entries, unreadable } of readApprovedEntries(services, context, tag)) {
    missing += unreadable;
    if (entries.length === 0) continue;
    yield separator + entries.map((entry) => JSON.stringify(entry)).join(',\n');
    separator = ',\n';
  }
  yield `],\n  "guestBookMissing": ${missing}\n}\n`;
}

/** Yields entries newest first, with the number that could not be decrypted. */
async function* readApprovedEntries(
  services: Services,
  context: RequestContext,
  tag: MemoryTagRow,
): AsyncGenerator<{ entries: ArchivedGuestBookEntry[]; unreadable: number }> {
  const { database, fieldCipher } = services;
  for (let after: { at: Date; id: string } | null = null; ; ) {
    const rows = await listGuestBookEntriesAfter(database.client, tag.id, 'APPROVED', after, BATCH_SIZE);
    const failures: IntegrityFailure[] = [];
    const entries = rows.flatMap((row) => {
      const content = readOrReportIntegrityFailure(
        () => GUEST_BOOK_ENTRY.decrypt(fieldCipher, row),
        (failure) => failures.push(failure),
      );
      return content ? [{ ...content, createdAt: row.createdAt }] : [];
    });
    for (const failure of failures) await recordIntegrityFailure(services, context, failure);
    if (rows.length > 0) yield { entries, unreadable: rows.length - entries.length };
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    after = { at: last.createdAt, id: last.id };
  }
}
