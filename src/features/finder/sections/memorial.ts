import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getPictureSizeAtWidth, type RenditionWidth } from '../../files/index.ts';
import type { MemoryTagPictureRow } from '../../memory-tags/index.ts';
import { renderWithinBytes } from '../field-value.ts';
import { renderIsoDate, renderPartialDate } from '../formatters.ts';
import type { VisibleGallery } from '../gallery.ts';
import type { PublicGuestBookEntry } from '../memorial.ts';
import type { SubpageTarget } from './contact.ts';
import { renderSubpageButton } from './content.ts';

type Profile = Readonly<Record<string, unknown>>;

export function renderMemorialSection({ bornOn, diedOn, epitaph }: Profile, locale: Locale) {
  const { tag } = locale;
  const fields: string[] = [];
  const parts: Html[] = [];
  if (typeof bornOn === 'string' && typeof diedOn === 'string') {
    fields.push('bornOn', 'diedOn');
    parts.push(
      html`<p class="kind">${renderPartialDate(bornOn, tag)} – ${renderPartialDate(diedOn, tag)}</p>\n`,
    );
  }
  for (const [field, date, label] of [
    ['bornOn', bornOn, t(locale, 'memorial.born')],
    ['diedOn', diedOn, t(locale, 'memorial.died')],
  ] as const) {
    if (typeof date !== 'string' || fields.includes(field)) continue;
    fields.push(field);
    parts.push(
      html`<p class="kind">${label}${t(locale, 'finder.labelSeparator')}${renderPartialDate(date, tag)}</p>\n`,
    );
  }
  if (typeof epitaph === 'string') {
    fields.push('epitaph');
    parts.push(html`<p class="epitaph text">${epitaph}</p>\n`);
  }
  return { section: parts.length > 0 ? html`${parts}` : null, fields };
}

const MAX_PREVIEW_PICTURES = 12;

/** The gallery page has the full caption. */
const MAX_CAPTION_CHARACTERS = 120;

const SMALL_WIDTH: RenditionWidth = 320;
const MEDIUM_WIDTH: RenditionWidth = 640;
const LARGE_WIDTH: RenditionWidth = 1_280;

export function renderGallerySection(gallery: VisibleGallery, bytes: number, locale: Locale): Html {
  const { pictures, address, ticket } = gallery;
  const { tag } = locale;
  const allLink = html`<p><a class="act plain" href="${address}?lang=${tag}${ticket && `&t=${ticket}`}">${t(locale, 'finder.galleryAll', { count: pictures.length })}</a></p>`;
  const render = (
    part: readonly MemoryTagPictureRow[],
  ) => html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>
<ul class="pictures">${part.map((picture) => html`<li>${renderLinkedPicture(gallery, picture, SMALL_WIDTH, locale, MAX_CAPTION_CHARACTERS)}${renderVisibleCaption('span', picture, MAX_CAPTION_CHARACTERS)}</li>\n`)}</ul>
${(part.length < pictures.length || part.some(isTruncated)) && allLink}</section>`;
  const none = html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>\n${allLink}</section>`;
  return renderWithinBytes(pictures.slice(0, MAX_PREVIEW_PICTURES), render, bytes)?.markup ?? none;
}

export function renderCaptionedPicture(
  gallery: VisibleGallery,
  picture: MemoryTagPictureRow,
  locale: Locale,
): Html {
  const below = renderVisibleCaption('figcaption', picture);
  return html`<figure class="picture">${renderLinkedPicture(gallery, picture, MEDIUM_WIDTH, locale)}${below}</figure>\n`;
}

/** Hidden from screen readers, which read the caption as the alternative text. */
function renderVisibleCaption(
  element: 'span' | 'figcaption',
  { caption }: MemoryTagPictureRow,
  maxCharacters = Number.POSITIVE_INFINITY,
): Html | null {
  const name = { markup: element };
  return caption === null
    ? null
    : html`<${name} aria-hidden="true">${truncateCaption(caption, maxCharacters)}</${name}>`;
}

function renderLinkedPicture(
  { address, ticket }: VisibleGallery,
  picture: MemoryTagPictureRow,
  displayWidth: RenditionWidth,
  locale: Locale,
  maxCharacters = Number.POSITIVE_INFINITY,
): Html {
  const { width, height } = getPictureSizeAtWidth(displayWidth, picture);
  const createUrl = (w: RenditionWidth) => `${address}/${picture.id}?w=${w}${ticket ? `&t=${ticket}` : ''}`;
  const alternative = picture.caption ?? t(locale, 'finder.galleryPicture', { number: picture.position });
  return html`<a href="${createUrl(LARGE_WIDTH)}"><img src="${createUrl(displayWidth)}" width="${width}" height="${height}" alt="${truncateCaption(alternative, maxCharacters)}" loading="lazy"></a>`;
}

function isTruncated({ caption }: MemoryTagPictureRow): boolean {
  return caption !== null && [...caption].length > MAX_CAPTION_CHARACTERS;
}

function truncateCaption(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length <= maxCharacters
    ? text
    : `${characters.slice(0, maxCharacters).join('').trimEnd()}…`;
}

/** The guest book page has the full entry. */
const MAX_EXCERPT_CHARACTERS = 300;

export function renderGuestBookSection(
  { entries, hasMore }: { entries: readonly PublicGuestBookEntry[]; hasMore: boolean },
  bytes: number,
  place: SubpageTarget,
  locale: Locale,
): Html | null {
  if (entries.length === 0) return null;
  const excerpts = entries.map((entry) => ({ ...entry, message: truncateMessage(entry.message) }));
  const isTruncated = hasMore || excerpts.some(({ message }, index) => message !== entries[index]?.message);
  const moreButton = renderSubpageButton(place, '/entries', t(locale, 'memorial.guestBookMore'), locale);
  const render = (part: readonly PublicGuestBookEntry[]) =>
    html`<section><h2>${t(locale, 'memorial.guestBookTitle')}</h2>\n${renderGuestBookEntryList(part, locale)}${(isTruncated || part.length < entries.length) && moreButton}</section>`;
  return renderWithinBytes(excerpts, render, bytes)?.markup ?? render([]);
}

export function renderGuestBookEntryList(entries: readonly PublicGuestBookEntry[], locale: Locale): Html {
  const items = entries.map(
    ({ name, message, createdAt }) =>
      html`<li><p class="kind"><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi>${t(locale, 'finder.listSeparator')}${renderIsoDate(createdAt.toISOString().slice(0, 10), locale.tag)}</p>
<p class="text">${message}</p></li>
`,
  );
  return html`<ul class="messages">${items}</ul>`;
}

function truncateMessage(message: string): string {
  const characters = [...message];
  return characters.length <= MAX_EXCERPT_CHARACTERS
    ? message
    : `${characters.slice(0, MAX_EXCERPT_CHARACTERS).join('').trimEnd()}…`;
}
