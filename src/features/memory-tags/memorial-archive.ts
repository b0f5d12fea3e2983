import type { Readable } from 'node:stream';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createTextEntry, createZipStream, type ZipEntry } from '../../platform/zip-stream.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import {
  type ArchivedPictureServices,
  drawnFor,
  openKept,
  pictureFacts,
  pictureName,
  recordDamage,
} from './archived-pictures.ts';
import { listPictures, type PictureRow } from './gallery.repository.ts';
import { listEntriesAfter } from './guest-book.repository.ts';
import { openEntry } from './guest-book-content.ts';
import {
  type ArchivedEntry,
  documentEnd,
  documentHead,
  entriesOfDocument,
  guestBookTitle,
  missingEntries,
  missingPicture,
  pictureOf,
  picturesTitle,
} from './memorial-document.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';
import { memoryTagItemView } from './memory-tag.view.ts';

/** Entries that are in memory at a time. */
const AT_ONCE = 100;

/** What is put into an archive. */
interface Archived {
  tag: MemoryTagRow;
  pictures: readonly PictureRow[];
}

/** What an archive is made with. */
export interface MemorialArchiveServices extends ArchivedPictureServices {
  fieldCipher: FieldCipher;
}

type Services = MemorialArchiveServices;

/**
 * A memory tag as a zip that outlives the service: a page that a browser shows without a network, and the same as JSON, made
 * while it is read. An entry that was altered outside the service is left out: both say how many these are, and the audit
 * trail which.
 */
export function memorialArchive(
  services: Services,
  context: RequestContext,
  tag: MemoryTagRow,
  locale: Locale,
): Readable {
  return createZipStream(filesOf(services, context, tag, locale));
}

async function* filesOf(
  services: Services,
  context: RequestContext,
  tag: MemoryTagRow,
  locale: Locale,
): AsyncGenerator<ZipEntry> {
  const pictures = await listPictures(services.database.client, tag.id);
  yield createTextEntry('index.html', page(services, context, { tag, pictures }, locale));
  const kept = new Map<string, boolean>();
  for (const picture of pictures) {
    const content = await openKept(services, context, picture, (isWhole) => kept.set(picture.id, isWhole));
    if (!content) continue;
    try {
      // What is a picture is compressed already.
      yield { name: pictureName(picture), compress: false, open: () => content };
    } finally {
      // Also where nobody comes to read it.
      content.destroy();
    }
  }
  // Last, as it tells which pictures are there.
  yield createTextEntry('memory-tag.json', json(services, context, { tag, pictures }, kept));
}

async function* page(
  services: Services,
  context: RequestContext,
  { tag, pictures }: Archived,
  locale: Locale,
): AsyncGenerator<string> {
  yield documentHead(tag, locale).markup;
  if (pictures.length > 0) yield picturesTitle(locale).markup;
  for (const picture of pictures) {
    const drawn = await drawnFor(services, context, picture);
    yield (drawn ? pictureOf(picture, drawn, locale) : missingPicture(picture, locale)).markup;
  }
  let isFirst = true;
  let missing = 0;
  for await (const { entries, unreadable } of entriesOf(services, context, tag)) {
    if (isFirst) yield guestBookTitle(locale).markup;
    isFirst = false;
    if (entries.length > 0) yield entriesOfDocument(entries, locale).markup;
    missing += unreadable;
  }
  if (missing > 0) yield missingEntries(missing, locale).markup;
  yield documentEnd().markup;
}

async function* json(
  services: Services,
  context: RequestContext,
  { tag, pictures }: Archived,
  kept: ReadonlyMap<string, boolean>,
): AsyncGenerator<string> {
  const { name, subject, bornOn, diedOn, epitaph, story, places } = memoryTagItemView(tag);
  const head = { format: 'memory-tag', version: 1, madeAt: new Date().toISOString() };
  const told = {
    ...head,
    name,
    subject,
    bornOn,
    diedOn,
    epitaph,
    story,
    places,
    pictures: pictures.map((picture) => pictureFacts(picture, kept.get(picture.id))),
  };
  yield `${JSON.stringify(told, null, 2).slice(0, -2)},\n  "guestBook": [`;
  let before = '\n';
  let missing = 0;
  for await (const { entries, unreadable } of entriesOf(services, context, tag)) {
    missing += unreadable;
    if (entries.length === 0) continue;
    yield before + entries.map((entry) => JSON.stringify(entry)).join(',\n');
    before = ',\n';
  }
  yield `],\n  "guestBookMissing": ${missing}\n}\n`;
}

/** What was approved of a guest book, newest first, some at a time, and how many of them could not be read. */
async function* entriesOf(
  services: Services,
  context: RequestContext,
  tag: MemoryTagRow,
): AsyncGenerator<{ entries: ArchivedEntry[]; unreadable: number }> {
  const { database, fieldCipher } = services;
  for (let after: { at: Date; id: string } | null = null; ; ) {
    const rows = await listEntriesAfter(database.client, tag.id, 'APPROVED', after, AT_ONCE);
    const damage: IntegrityFailure[] = [];
    const entries = rows.flatMap((row) => {
      const content = readOrReportIntegrityFailure(
        () => openEntry(fieldCipher, row),
        (damaged) => damage.push(damaged),
      );
      return content ? [{ ...content, createdAt: row.createdAt }] : [];
    });
    for (const damaged of damage) await recordDamage(services, context, damaged);
    if (rows.length > 0) yield { entries, unreadable: rows.length - entries.length };
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = { at: last.createdAt, id: last.id };
  }
}
