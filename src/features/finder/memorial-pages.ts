import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { FIRST_CURSOR } from '../../shared/pagination.ts';
import { decodeTimeCursor, encodeTimeCursor } from '../../shared/time-cursor.ts';
import { listEntriesAfter } from '../memory-tags/guest-book.repository.ts';
import { openEntry } from '../memory-tags/guest-book-content.ts';
import type { MemoryTagRow } from '../memory-tags/memory-tag.repository.ts';
import type { FinderServices } from './finder-services.ts';
import { bytesOf, fit } from './fit.ts';
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

type Services = Pick<FinderServices, 'database' | 'fieldCipher'>;

/** Bytes of a page that the way to the others takes. */
const AROUND_BYTES = 2_500;

/** Entries on a page of a guest book, where so many fit. */
const SHOWN = 30;

/** Sends a part of the story of a memory tag; of one that is none the first. Throws NOT_FOUND where there is no story. */
export async function sendStory(
  _services: Services,
  reply: FastifyReply,
  { tag, place, part = '1' }: Asked,
  locale: Locale,
): Promise<FastifyReply> {
  if (!tag.story) throw new ServiceError('NOT_FOUND');
  const parts = partsOfStory(tag.story, SECTIONS_BYTES - AROUND_BYTES, (text) => bytesOf(html`${text}`));
  const at = parts[Number(part) - 1] === undefined ? 1 : Number(part);
  const which = t(locale, 'memorial.storyPart', {
    part: at,
    count: parts.length,
  });
  const to = (other: number, label: string) =>
    other >= 1 &&
    other <= parts.length &&
    furtherButton(place, '/story', label, locale, { part: `${other}` });
  return sendPage(reply, {
    ...frame(place, '/story', t(locale, 'memorial.storyTitle'), locale),
    body: html`<p class="kind">${tag.name}</p>
<h1>${t(locale, 'memorial.storyTitle')}</h1>
${parts.length > 1 && html`<p class="kind">${which}</p>\n`}<p class="text">${parts[at - 1]}</p>
${to(at + 1, t(locale, 'memorial.storyNext'))}${to(at - 1, t(locale, 'memorial.storyBefore'))}${wayBack(place, locale)}`,
  });
}

/** Sends a page of the guest book of a memory tag, newest first: what visitors see of it. Throws NOT_FOUND where it has none, VALIDATION_FAILED for a place that is none, DATA_INTEGRITY. */
export async function sendEntries(
  { database, fieldCipher }: Services,
  reply: FastifyReply,
  { tag, place, cursor = FIRST_CURSOR }: Asked,
  locale: Locale,
): Promise<FastifyReply> {
  if (!tag.guestBookOpen) throw new ServiceError('NOT_FOUND');
  const after = decodeTimeCursor(cursor);
  const rows = await listEntriesAfter(database.client, tag.id, 'APPROVED', after, SHOWN + 1);
  const entries = rows.slice(0, SHOWN).map((row) => ({ ...row, ...openEntry(fieldCipher, row) }));
  const shown = fit(entries, (some) => entryList(some, locale), SECTIONS_BYTES - AROUND_BYTES);
  const last = shown?.value.at(-1);
  const older =
    last &&
    (rows.length > SHOWN || shown?.isWhole === false) &&
    furtherButton(place, '/entries', t(locale, 'memorial.guestBookOlder'), locale, {
      cursor: encodeTimeCursor({ at: last.createdAt, id: last.id }),
    });
  return sendPage(reply, {
    ...frame(place, '/entries', t(locale, 'memorial.guestBookTitle'), locale),
    body: html`<p class="kind">${tag.name}</p>
<h1>${t(locale, 'memorial.guestBookTitle')}</h1>
${shown?.markup}
${older}${wayBack(place, locale)}`,
  });
}

function frame(
  { address, visit }: FilePlace,
  path: string,
  title: string,
  locale: Locale,
): Omit<Page, 'body'> {
  // What is behind a PIN has no address of its own.
  return { status: 200, locale, title, address: visit === null ? `${address}${path}` : null };
}

function wayBack(place: FilePlace, locale: Locale): Html {
  return furtherButton({ ...place, visit: null }, '', t(locale, 'memorial.backToPage'), locale);
}
