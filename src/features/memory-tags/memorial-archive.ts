import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { addAuditEntry } from '../../platform/audit.repository.ts';
import type { Caller } from '../../platform/caller.ts';
import { damageRecord, readable } from '../../platform/damage.ts';
import type { Database } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { textEntry, type ZipEntry, zipStream } from '../../platform/zip-stream.ts';
import { type DamagedValue, ServiceError } from '../../shared/errors.ts';
import type { Language } from '../../shared/languages/language.ts';
import type { FileKeeper } from '../files/file-keeper.ts';
import { openLegible } from '../files/open-legible.ts';
import type { Width } from '../pictures/rendition.rules.ts';
import type { Renditions } from '../pictures/renditions.ts';
import { listPictures, type PictureRow } from './gallery.repository.ts';
import { listEntriesAfter } from './guest-book.repository.ts';
import { openEntry } from './guest-book-content.ts';
import {
  type ArchivedEntry,
  documentEnd,
  documentHead,
  documentOf,
  pictureOf,
  picturesTitle,
} from './memorial-document.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';
import { memoryTagItemView } from './memory-tag.view.ts';

/** Entries that are in memory at a time. */
const AT_ONCE = 100;

/** Width of the pictures within the page; as they are kept they lie beside it. */
const SHOWN: Width = 640;

/** Tries to have a picture drawn while others are. */
const PATIENCE = 10;

/** What is put into an archive. */
interface Archived {
  tag: MemoryTagRow;
  pictures: readonly PictureRow[];
}

/** What an archive is made with. */
export interface MemorialArchiveServices {
  database: Database;
  vault: Vault;
  files: FileKeeper;
  renditions: Renditions;
}

type Services = MemorialArchiveServices;

/**
 * A memory tag as a zip that outlives the service: a page that a browser shows without a network, and the same as JSON, made
 * while it is read. An entry that was altered outside the service is left out, and said so in the audit trail.
 */
export function memorialArchive(
  services: Services,
  caller: Caller,
  tag: MemoryTagRow,
  language: Language,
): Readable {
  return zipStream(filesOf(services, caller, tag, language));
}

async function* filesOf(
  services: Services,
  caller: Caller,
  tag: MemoryTagRow,
  language: Language,
): AsyncGenerator<ZipEntry> {
  const pictures = await listPictures(services.database.client, tag.id);
  yield textEntry('index.html', page(services, caller, { tag, pictures }, language));
  const kept = new Set<string>();
  for (const picture of pictures) {
    const content = await openPicture(services, caller, picture.fileId);
    if (!content) continue;
    kept.add(picture.id);
    try {
      // What is a picture is compressed already.
      yield { name: pictureName(picture), compress: false, open: () => content };
    } finally {
      // Also where its turn never came.
      content.destroy();
    }
  }
  // Last, as it tells which pictures are there.
  yield textEntry('memory-tag.json', json(services, caller, { tag, pictures }, kept));
}

/** What can be read of a picture's file; what cannot is recorded. */
function openPicture(services: Services, caller: Caller, fileId: string): Promise<Readable | null> {
  return openLegible(services.files, services.database.client, fileId, (damaged) =>
    recordDamage(services, caller, damaged),
  );
}

/** A picture for the page, small enough that a hundred of them are one page; null where it cannot be drawn or read now. */
async function drawnFor(services: Services, caller: Caller, picture: PictureRow): Promise<Buffer | null> {
  for (let tries = 1; ; tries += 1)
    try {
      const { fileId } = await services.renditions.of(picture, { width: SHOWN, format: 'jpeg' });
      const content = await openPicture(services, caller, fileId);
      return content && (await buffer(content));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code !== 'BUSY' || tries === PATIENCE) return null;
      await wait(1_000);
    }
}

async function* page(
  services: Services,
  caller: Caller,
  { tag, pictures }: Archived,
  language: Language,
): AsyncGenerator<string> {
  yield documentHead(tag, language).markup;
  if (pictures.length > 0) yield picturesTitle(language).markup;
  for (const picture of pictures) {
    const drawn = await drawnFor(services, caller, picture);
    if (drawn) yield pictureOf(picture, drawn, language).markup;
  }
  let isFirst = true;
  for await (const entries of entriesOf(services, caller, tag)) {
    yield documentOf(entries, isFirst, language).markup;
    isFirst = false;
  }
  yield documentEnd().markup;
}

async function* json(
  services: Services,
  caller: Caller,
  { tag, pictures }: Archived,
  kept: ReadonlySet<string>,
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
    pictures: pictures.map((picture) => pictureFacts(picture, kept.has(picture.id))),
  };
  yield `${JSON.stringify(told, null, 2).slice(0, -2)},\n  "guestBook": [`;
  let before = '\n';
  for await (const entries of entriesOf(services, caller, tag)) {
    yield before + entries.map((entry) => JSON.stringify(entry)).join(',\n');
    before = ',\n';
  }
  yield ']\n}\n';
}

/** What was approved of a guest book, newest first, some at a time. */
async function* entriesOf(
  services: Services,
  caller: Caller,
  tag: MemoryTagRow,
): AsyncGenerator<ArchivedEntry[]> {
  const { database, vault } = services;
  for (let after: { at: Date; id: string } | null = null; ; ) {
    const rows = await listEntriesAfter(database.client, tag.id, 'APPROVED', after, AT_ONCE);
    const damage: DamagedValue[] = [];
    const entries = rows.flatMap((row) => {
      const content = readable(
        () => openEntry(vault, row),
        (damaged) => damage.push(damaged),
      );
      return content ? [{ ...content, createdAt: row.createdAt }] : [];
    });
    for (const damaged of damage) await recordDamage(services, caller, damaged);
    if (entries.length > 0) yield entries;
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = { at: last.createdAt, id: last.id };
  }
}

function recordDamage(
  { database }: Services,
  { user, operation, requestId }: Caller,
  damaged: DamagedValue,
): Promise<void> {
  const entry = { ...damageRecord(damaged), ...{ operation, requestId, actorId: user?.id } };
  return addAuditEntry(database.client, entry);
}

/** Where a picture is in the archive: in the order of the gallery. */
function pictureName({ position, format }: PictureRow): string {
  return `pictures/${String(position).padStart(3, '0')}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** What is told of a picture; its file is null where it could not be read. */
function pictureFacts(picture: PictureRow, isKept: boolean) {
  const { caption, width, height } = picture;
  return { file: isKept ? pictureName(picture) : null, caption, width, height };
}
