import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getSizeAtWidth, type RenditionWidth } from '../../files/index.ts';
import type { PictureRow } from '../../memory-tags/index.ts';
import type { VisitGallery } from '../gallery.ts';
import { truncateToFit } from '../truncate-to-fit.ts';

const MAX_PREVIEW_PICTURES = 12;

/** The gallery page has the full caption. */
const MAX_CAPTION_CHARACTERS = 120;

const SMALL_WIDTH: RenditionWidth = 320;
const MEDIUM_WIDTH: RenditionWidth = 640;
const LARGE_WIDTH: RenditionWidth = 1_280;

export function renderGallerySection(gallery: VisitGallery, bytes: number, locale: Locale): Html {
  const { pictures, address, ticket } = gallery;
  const { tag } = locale;
  const allLink = html`<p><a class="act plain" href="${address}?lang=${tag}${ticket && `&t=${ticket}`}">${t(locale, 'finder.galleryAll', { count: pictures.length })}</a></p>`;
  const render = (part: readonly PictureRow[]) => html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>
<ul class="pictures">${part.map((picture) => html`<li>${renderLinkedPicture(gallery, picture, SMALL_WIDTH, locale, MAX_CAPTION_CHARACTERS)}${renderVisibleCaption('span', picture, MAX_CAPTION_CHARACTERS)}</li>\n`)}</ul>
${(part.length < pictures.length || part.some(isTruncated)) && allLink}</section>`;
  const none = html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>\n${allLink}</section>`;
  return truncateToFit(pictures.slice(0, MAX_PREVIEW_PICTURES), render, bytes)?.markup ?? none;
}

export function renderCaptionedPicture(gallery: VisitGallery, picture: PictureRow, locale: Locale): Html {
  const below = renderVisibleCaption('figcaption', picture);
  return html`<figure class="picture">${renderLinkedPicture(gallery, picture, MEDIUM_WIDTH, locale)}${below}</figure>\n`;
}

/** Hidden from screen readers, which read the caption as the alternative text. */
function renderVisibleCaption(
  element: 'span' | 'figcaption',
  { caption }: PictureRow,
  maxCharacters = Number.POSITIVE_INFINITY,
): Html | null {
  const name = { markup: element };
  return caption === null
    ? null
    : html`<${name} aria-hidden="true">${truncateCaption(caption, maxCharacters)}</${name}>`;
}

function renderLinkedPicture(
  { address, ticket }: VisitGallery,
  picture: PictureRow,
  displayWidth: RenditionWidth,
  locale: Locale,
  maxCharacters = Number.POSITIVE_INFINITY,
): Html {
  const { width, height } = getSizeAtWidth(displayWidth, picture);
  const createUrl = (w: RenditionWidth) => `${address}/${picture.id}?w=${w}${ticket ? `&t=${ticket}` : ''}`;
  const alternative = picture.caption ?? t(locale, 'finder.galleryPicture', { number: picture.position });
  return html`<a href="${createUrl(LARGE_WIDTH)}"><img src="${createUrl(displayWidth)}" width="${width}" height="${height}" alt="${truncateCaption(alternative, maxCharacters)}" loading="lazy"></a>`;
}

function isTruncated({ caption }: PictureRow): boolean {
  return caption !== null && [...caption].length > MAX_CAPTION_CHARACTERS;
}

function truncateCaption(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length <= maxCharacters
    ? text
    : `${characters.slice(0, maxCharacters).join('').trimEnd()}…`;
}
