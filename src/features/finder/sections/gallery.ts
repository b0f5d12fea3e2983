import { type Html, html } from '../../../shared/html.ts';
import { type Language, say } from '../../../shared/languages/language.ts';
import type { PictureRow } from '../../memory-tags/gallery.repository.ts';
import { sizeAt, type Width } from '../../pictures/rendition.rules.ts';
import { fit } from '../fit.ts';
import { FORMATS } from '../formats.ts';
import type { Gallery } from '../gallery.ts';

/** Pictures on the page of a code. */
const FIRST = 12;

/** Characters of a caption on the page of a code; the page of the pictures has it whole. */
const EXCERPT = 120;

const SMALL: Width = 320;
const MIDDLE: Width = 640;
const LARGE: Width = 1_280;

/** The first pictures of a memory tag, within so many bytes, and the way to all of them. */
export function gallerySection(gallery: Gallery, bytes: number, language: Language): Html {
  const { pictures, address, ticket } = gallery;
  const { finder, tag } = language;
  const count = FORMATS.number(tag).format(pictures.length);
  const all = html`<p><a class="act plain" href="${address}?lang=${tag}${ticket && `&t=${ticket}`}">${say(finder.galleryAll, { count })}</a></p>`;
  const render = (some: readonly PictureRow[]) => html`<section><h2>${finder.galleryTitle}</h2>
<ul class="pictures">${some.map((picture) => html`<li>${linkedPicture(gallery, picture, SMALL, language, EXCERPT)}${seenCaption('span', picture, EXCERPT)}</li>\n`)}</ul>
${(some.length < pictures.length || some.some(isCut)) && all}</section>`;
  const none = html`<section><h2>${finder.galleryTitle}</h2>\n${all}</section>`;
  return fit(pictures.slice(0, FIRST), render, bytes)?.markup ?? none;
}

/** A picture with its caption below it. */
export function captionedPicture(gallery: Gallery, picture: PictureRow, language: Language): Html {
  const below = seenCaption('figcaption', picture);
  return html`<figure class="picture">${linkedPicture(gallery, picture, MIDDLE, language)}${below}</figure>\n`;
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
  { finder, tag }: Language,
  mostCharacters = Number.POSITIVE_INFINITY,
): Html {
  const { width, height } = sizeAt(shown, picture);
  const at = (w: Width) => `${address}/${picture.id}?w=${w}${ticket ? `&t=${ticket}` : ''}`;
  const number = FORMATS.number(tag).format(picture.position);
  const words = picture.caption ?? say(finder.galleryPicture, { number });
  return html`<a href="${at(LARGE)}"><img src="${at(shown)}" width="${width}" height="${height}" alt="${excerptOf(words, mostCharacters)}" loading="lazy"></a>`;
}

function isCut({ caption }: PictureRow): boolean {
  return caption !== null && [...caption].length > EXCERPT;
}

function excerptOf(words: string, most: number): string {
  const characters = [...words];
  return characters.length <= most ? words : `${characters.slice(0, most).join('').trimEnd()}…`;
}
