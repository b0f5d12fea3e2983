import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import { type Language, say } from '../../shared/languages/language.ts';
import { FIRST_CURSOR } from '../../shared/pagination.ts';
import { readTimeCursor, writeTimeCursor } from '../../shared/time-cursor.ts';
import { listEntriesAfter } from '../memory-tags/guest-book.repository.ts';
import { openEntry } from '../memory-tags/guest-book-content.ts';
import type { MemoryTagRow } from '../memory-tags/memory-tag.repository.ts';
import type { FinderServices } from './finder-services.ts';
import { bytesOf, fit } from './fit.ts';
import { FORMATS } from './formats.ts';
import { partsOfStory } from './memorial.rules.ts';
import { type Page, SECTIONS_BYTES, sendPage } from './page-frame.ts';
import type { FilePlace } from './sections/actions.ts';
import { furtherButton } from './sections/further.ts';
import { entryList } from './sections/guest-book.ts';

/** What a page beside that of a code is asked for. */
export interface Asked {
  tag: MemoryTagRow;
  place: FilePlace;
  /** Which part of a story. */
  part?: string | undefined;
  /** The place in the guest book after which it goes on; not given where it begins with the newest. */
  cursor?: string | undefined;
}

type Services = Pick<FinderServices, 'database' | 'vault'>;

/** Bytes of a page that the way to the others takes. */
const AROUND_BYTES = 2_500;

/** Entries on a page of a guest book, where so many fit. */
const SHOWN = 30;

/** Sends a part of the story of a memory tag; of one that is none the first. Throws NOT_FOUND where there is no story. */
export async function sendStory(
  _services: Services,
  reply: FastifyReply,
  { tag, place, part = '1' }: Asked,
  language: Language,
): Promise<FastifyReply> {
  if (!tag.story) throw new ServiceError('NOT_FOUND');
  const { memorial } = language;
  const parts = partsOfStory(tag.story, SECTIONS_BYTES - AROUND_BYTES, (text) => bytesOf(html`${text}`));
  const at = parts[Number(part) - 1] === undefined ? 1 : Number(part);
  const number = FORMATS.number(language.tag);
  const which = say(memorial.storyPart, { part: number.format(at), count: number.format(parts.length) });
  const to = (other: number, words: string) =>
    other >= 1 &&
    other <= parts.length &&
    furtherButton(place, '/story', words, language, { part: `${other}` });
  return sendPage(reply, {
    ...frame(place, '/story', memorial.storyTitle, language),
    body: html`<p class="kind">${tag.name}</p>
<h1>${memorial.storyTitle}</h1>
${parts.length > 1 && html`<p class="kind">${which}</p>\n`}<p class="text">${parts[at - 1]}</p>
${to(at + 1, memorial.storyNext)}${to(at - 1, memorial.storyBefore)}${wayBack(place, language)}`,
  });
}

/** Sends a page of the guest book of a memory tag, newest first: what visitors see of it. Throws NOT_FOUND where it has none, VALIDATION_FAILED for a place that is none, DATA_INTEGRITY. */
export async function sendEntries(
  { database, vault }: Services,
  reply: FastifyReply,
  { tag, place, cursor = FIRST_CURSOR }: Asked,
  language: Language,
): Promise<FastifyReply> {
  if (!tag.guestBookOpen) throw new ServiceError('NOT_FOUND');
  const { memorial } = language;
  const after = readTimeCursor(cursor);
  const rows = await listEntriesAfter(database.client, tag.id, 'APPROVED', after, SHOWN + 1);
  const entries = rows.slice(0, SHOWN).map((row) => ({ ...row, ...openEntry(vault, row) }));
  const shown = fit(entries, (some) => entryList(some, language), SECTIONS_BYTES - AROUND_BYTES);
  const last = shown?.value.at(-1);
  const older =
    last &&
    (rows.length > SHOWN || shown?.isWhole === false) &&
    furtherButton(place, '/entries', memorial.guestBookOlder, language, {
      cursor: writeTimeCursor({ at: last.createdAt, id: last.id }),
    });
  return sendPage(reply, {
    ...frame(place, '/entries', memorial.guestBookTitle, language),
    body: html`<p class="kind">${tag.name}</p>
<h1>${memorial.guestBookTitle}</h1>
${shown?.markup}
${older}${wayBack(place, language)}`,
  });
}

function frame(
  { address, visit }: FilePlace,
  path: string,
  title: string,
  language: Language,
): Omit<Page, 'body'> {
  // What is behind a PIN has no address of its own.
  return { status: 200, language, title, address: visit === null ? `${address}${path}` : null };
}

function wayBack(place: FilePlace, language: Language): Html {
  return furtherButton({ ...place, visit: null }, '', language.memorial.backToPage, language);
}
