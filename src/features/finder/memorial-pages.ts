import type { FastifyReply } from 'fastify';
import {
  type LocalizedHtmlPage,
  MAX_PAGE_SECTIONS_BYTES,
  sendLocalizedHtmlPage,
} from '../../platform/pages/page-frame.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { decodeTimeCursor, encodeTimeCursor } from '../../shared/time-cursor.ts';
import { GUEST_BOOK_ENTRY, listGuestBookEntriesAfter, type MemoryTagRow } from '../memory-tags/index.ts';
import { countMarkupBytes, renderWithinBytes } from './field-value.ts';
import type { FinderServices } from './finder-services.ts';
import { splitStory } from './memorial.ts';
import type { SubpageTarget } from './sections/contact.ts';
import { renderSubpageButton } from './sections/content.ts';
import { renderGuestBookEntryList } from './sections/memorial.ts';

export interface MemorialPageRequest {
  tag: MemoryTagRow;
  target: SubpageTarget;
  part?: string | undefined;
  /** Undefined for the newest entries. */
  cursor?: string | undefined;
}

type Services = Pick<FinderServices, 'database' | 'fieldCipher'>;

/** Bytes of the heading and the navigation. */
const FRAME_BYTES = 2_500;

const MAX_ENTRIES_PER_PAGE = 30;

/** Show the first part for an invalid one. @throws NOT_FOUND */
export async function sendMemorialStoryPage(
  _services: Services,
  reply: FastifyReply,
  { tag, target, part = '1' }: MemorialPageRequest,
  locale: Locale,
): Promise<FastifyReply> {
  if (!tag.story) throw new ServiceError('NOT_FOUND');
  const parts = splitStory(tag.story, MAX_PAGE_SECTIONS_BYTES - FRAME_BYTES, (text) =>
    countMarkupBytes(html`${text}`),
  );
  const partNumber = parts[Number(part) - 1] === undefined ? 1 : Number(part);
  const partLabel = t(locale, 'memorial.storyPart', {
    part: partNumber,
    count: parts.length,
  });
  const renderPartLink = (other: number, label: string) =>
    other >= 1 &&
    other <= parts.length &&
    renderSubpageButton(target, '/story', label, locale, { part: `${other}` });
  return sendLocalizedHtmlPage(reply, {
    ...createPageFrame(target, '/story', t(locale, 'memorial.storyTitle'), locale),
    hasMemorial: true,
    body: html`<p class="kind">${tag.name}</p>
<h1>${t(locale, 'memorial.storyTitle')}</h1>
${parts.length > 1 && html`<p class="kind">${partLabel}</p>\n`}<p class="story text">${parts[partNumber - 1]}</p>
${renderPartLink(partNumber + 1, t(locale, 'memorial.storyNext'))}${renderPartLink(partNumber - 1, t(locale, 'memorial.storyBefore'))}${renderBackLink(target, locale)}`,
  });
}

/** @throws DATA_INTEGRITY; NOT_FOUND without a guest book */
export async function sendGuestBookEntriesPage(
  { database, fieldCipher }: Services,
  reply: FastifyReply,
  { tag, target, cursor }: MemorialPageRequest,
  locale: Locale,
): Promise<FastifyReply> {
  if (!tag.guestBookOpen) throw new ServiceError('NOT_FOUND');
  const after = cursor === undefined ? null : decodeTimeCursor(cursor);
  const rows = await listGuestBookEntriesAfter(
    database.client,
    tag.id,
    'APPROVED',
    after,
    MAX_ENTRIES_PER_PAGE + 1,
  );
  const entries = rows
    .slice(0, MAX_ENTRIES_PER_PAGE)
    .map((row) => ({ ...row, ...GUEST_BOOK_ENTRY.decrypt(fieldCipher, row) }));
  const page = renderWithinBytes(
    entries,
    (part) => renderGuestBookEntryList(part, locale),
    MAX_PAGE_SECTIONS_BYTES - FRAME_BYTES,
  );
  const last = page?.value.at(-1);
  const older =
    last &&
    (rows.length > MAX_ENTRIES_PER_PAGE || page?.isWhole === false) &&
    renderSubpageButton(target, '/entries', t(locale, 'memorial.guestBookOlder'), locale, {
      cursor: encodeTimeCursor({ at: last.createdAt, id: last.id }),
    });
  return sendLocalizedHtmlPage(reply, {
    ...createPageFrame(target, '/entries', t(locale, 'memorial.guestBookTitle'), locale),
    body: html`<p class="kind">${tag.name}</p>
<h1>${t(locale, 'memorial.guestBookTitle')}</h1>
${page?.markup}
${older}${renderBackLink(target, locale)}`,
  });
}

function createPageFrame(
  { address, visit }: SubpageTarget,
  path: string,
  title: string,
  locale: Locale,
): Omit<LocalizedHtmlPage, 'body'> {
  // PIN-protected content has no URL that language links could use.
  return { status: 200, locale, title, address: visit === null ? `${address}${path}` : null };
}

function renderBackLink(place: SubpageTarget, locale: Locale): Html {
  return renderSubpageButton({ ...place, visit: null }, '', t(locale, 'memorial.backToPage'), locale);
}
