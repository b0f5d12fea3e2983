import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { PictureRow } from '../../memory-tags/gallery.repository.ts';
import { sizeAt, type Width } from '../../pictures/rendition.rules.ts';
import { fit } from '../fit.ts';
import type { Gallery } from '../gallery.ts';

/** Pictures on the page of a code. */
const FIRST = 12;

/** Characters of a caption on the page of a code; the page of the pictures has it whole. */
const EXCERPT = 120;

const SMALL: Width = 320;
const MIDDLE: Width = 640;
const LARGE: Width = 1_280;

/** The first pictures of a memory tag, within so many bytes, and the way to all of them. */
export function gallerySection(gallery: Gallery, bytes: number, locale: Locale): Html {
  const { pictures, address, ticket } = gallery;
  const { tag } = locale;
  const all = html`<p><a class="act plain" href="${address}?lang=${tag}${ticket && `&t=${ticket}`}">${t(locale, 'finder.galleryAll', { count: pictures.length })}</a></p>`;
  const render = (some: readonly PictureRow[]) => html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>
<ul class="pictures">${some.map((picture) => html`<li>${linkedPicture(gallery, picture, SMALL, locale, EXCERPT)}${seenCaption('span', picture, EXCERPT)}</li>\n`)}</ul>
${(some.length < pictures.length || some.some(isCut)) && all}</section>`;
  const none = html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>\n${all}</section>`;
  return fit(pictures.slice(0, FIRST), render, bytes)?.markup ?? none;
}

/** A picture with its caption below it. */
export function captionedPicture(gallery: Gallery, picture: PictureRow, locale: Locale): Html {
  const below = seenCaption('figcaption', picture);
  return html`<figure class="picture">${linkedPicture(gallery, picture, MIDDLE, locale)}${below}</figure>\n`;
}

/** A caption for whoever sees it: who hears the page has heard it with the picture. */
function seenCaption(
  element: 'span' | 'figcaption',
  { caption }: PictureRow,
  mostCharacters = Number.POSITIVE_INFINITY,
): Html | null {
  const name = { markup: element };
  return caption === null
    ? null
    : html`<${name} aria-hidden="true">${excerptOf(caption, mostCharacters)}</${name}>`;
}

function linkedPicture(
  { address, ticket }: Gallery,
  picture: PictureRow,
  shown: Width,
  locale: Locale,
  mostCharacters = Number.POSITIVE_INFINITY,
): Html {
  const { width, height } = sizeAt(shown, picture);
  const at = (w: Width) => `${address}/${picture.id}?w=${w}${ticket ? `&t=${ticket}` : ''}`;
  const alternative = picture.caption ?? t(locale, 'finder.galleryPicture', { number: picture.position });
  return html`<a href="${at(LARGE)}"><img src="${at(shown)}" width="${width}" height="${height}" alt="${excerptOf(alternative, mostCharacters)}" loading="lazy"></a>`;
}

function isCut({ caption }: PictureRow): boolean {
  return caption !== null && [...caption].length > EXCERPT;
}

function excerptOf(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('').trimEnd()}…`;
}
