import type { LocalizedHtmlPage } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { truncateWithEllipsis } from '../../../shared/truncate.ts';
import type { PageDesign, PictureSummary } from '../../codes/index.ts';
import { getPictureSizeAtWidth, type RenditionWidth } from '../../files/index.ts';
import { countMarkupBytes, renderWithinBytes } from '../field-value.ts';
import type { VisibleGallery } from '../gallery.ts';

const MAX_PREVIEW_PICTURES = 12;

/** The gallery page has the full caption. */
const MAX_CAPTION_CHARACTERS = 120;

const SMALL_WIDTH: RenditionWidth = 320;
const MEDIUM_WIDTH: RenditionWidth = 640;
const LARGE_WIDTH: RenditionWidth = 1_280;

export function renderGallerySection(gallery: VisibleGallery, bytes: number, locale: Locale): Html {
  const { pictures } = gallery;
  const allLink = renderAllPicturesLink(gallery, locale);
  const render = (
    part: readonly PictureSummary[],
  ) => html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>
<ul class="pictures">${part.map((picture) => html`<li>${renderLinkedPicture(gallery, picture, SMALL_WIDTH, locale, MAX_CAPTION_CHARACTERS)}${renderVisibleCaption('span', picture, MAX_CAPTION_CHARACTERS)}</li>\n`)}</ul>
${(part.length < pictures.length || part.some(isTruncated)) && allLink}</section>`;
  const none = html`<section><h2>${t(locale, 'finder.galleryTitle')}</h2>\n${allLink}</section>`;
  return renderWithinBytes(pictures.slice(0, MAX_PREVIEW_PICTURES), render, bytes)?.markup ?? none;
}

function renderAllPicturesLink({ address, ticket, pictures }: VisibleGallery, locale: Locale): Html {
  return html`<p><a class="act plain" href="${address}?lang=${locale.tag}${ticket && `&t=${ticket}`}">${t(locale, 'finder.galleryAll', { count: pictures.length })}</a></p>`;
}

export function renderCaptionedPicture(
  gallery: VisibleGallery,
  picture: PictureSummary,
  locale: Locale,
): Html {
  const below = renderVisibleCaption('figcaption', picture);
  return html`<figure class="picture">${renderLinkedPicture(gallery, picture, MEDIUM_WIDTH, locale)}${below}</figure>\n`;
}

/** Hidden from screen readers, which read the caption as the alternative text. */
function renderVisibleCaption(
  element: 'span' | 'figcaption',
  { caption }: PictureSummary,
  maxCharacters = Number.POSITIVE_INFINITY,
): Html | null {
  const name = { markup: element };
  return caption === null
    ? null
    : html`<${name} aria-hidden="true">${truncateWithEllipsis(caption, maxCharacters)}</${name}>`;
}

function renderLinkedPicture(
  gallery: VisibleGallery,
  picture: PictureSummary,
  displayWidth: RenditionWidth,
  locale: Locale,
  maxCharacters = Number.POSITIVE_INFINITY,
): Html {
  const { width, height } = getPictureSizeAtWidth(displayWidth, picture);
  const alternative = picture.caption ?? t(locale, 'finder.galleryPicture', { number: picture.position });
  return html`<a href="${getPictureUrl(gallery, picture, LARGE_WIDTH)}"><img src="${getPictureUrl(gallery, picture, displayWidth)}" width="${width}" height="${height}" alt="${truncateWithEllipsis(alternative, maxCharacters)}"></a>`;
}

function getPictureUrl(
  { address, ticket }: VisibleGallery,
  { id }: PictureSummary,
  width: RenditionWidth,
): string {
  return `${address}/${id}?w=${width}${ticket ? `&t=${ticket}` : ''}`;
}

function isTruncated({ caption }: PictureSummary): boolean {
  return caption !== null && [...caption].length > MAX_CAPTION_CHARACTERS;
}

/** Render the first picture of a memorial, round above the name. Decorative: it is among the photos below, too. */
export function renderPortrait(gallery: VisibleGallery): Html | null {
  const [first] = gallery.pictures;
  if (!first) return null;
  return html`<img class="avatar" src="${getPictureUrl(gallery, first, SMALL_WIDTH)}" width="144" height="144" alt="">`;
}

/** CSS pixels; the screen keeps room for the name, on an emergency card also for what helpers must know. */
const MAX_PICTURE_HEIGHT_PIXELS = 480;
const MAX_EMERGENCY_PICTURE_HEIGHT_PIXELS = 200;

/** CSS pixels. */
const LOGO_HEIGHT = 56;

/**
 * Render cover and logo of the page's design, the first of the other pictures, for above the name, and the rest, for
 * below it. A helper needs the card first: an emergency card has no cover.
 */
export function renderQrCodePictures(
  gallery: VisibleGallery,
  { kind, name, pageDesign }: { kind: string; name: string | null; pageDesign: PageDesign },
  bytes: number,
  locale: Locale,
): Record<'cover' | 'logo' | 'first' | 'others', Html | null> {
  const { cover, logo, others: remaining } = selectDesignPictures(gallery.pictures, pageDesign);
  const designed = {
    cover: cover && kind !== 'MEDICAL' ? renderCover(gallery, cover) : null,
    logo: logo ? renderLogo(gallery, logo) : null,
  };
  const [first, ...others] = cover && kind === 'MEDICAL' ? [cover, ...remaining] : remaining;
  if (!first) return { ...designed, first: null, others: null };
  const { width, height } = getPictureSizeAtWidth(MEDIUM_WIDTH, first);
  const maxHeight = kind === 'MEDICAL' ? MAX_EMERGENCY_PICTURE_HEIGHT_PIXELS : MAX_PICTURE_HEIGHT_PIXELS;
  const scale = Math.min(1, maxHeight / height);
  const alternative = first.caption ?? name ?? t(locale, 'finder.galleryPicture', { number: 1 });
  const firstMarkup = html`<figure class="main-picture"><a href="${getPictureUrl(gallery, first, LARGE_WIDTH)}"><img src="${getPictureUrl(gallery, first, MEDIUM_WIDTH)}" width="${Math.round(width * scale)}" height="${Math.round(height * scale)}" alt="${truncateWithEllipsis(alternative, MAX_CAPTION_CHARACTERS)}"></a>${renderVisibleCaption('figcaption', first, MAX_CAPTION_CHARACTERS)}</figure>\n`;
  if (others.length === 0) return { ...designed, first: firstMarkup, others: null };
  const allLink = renderAllPicturesLink(gallery, locale);
  const render = (part: readonly PictureSummary[]) => html`<ul class="strip">
${part.map((picture) => html`<li>${renderLinkedPicture(gallery, picture, SMALL_WIDTH, locale, MAX_CAPTION_CHARACTERS)}</li>\n`)}</ul>
${part.length < others.length && allLink}`;
  return {
    ...designed,
    first: firstMarkup,
    others: renderWithinBytes(others, render, bytes - countMarkupBytes(firstMarkup))?.markup ?? allLink,
  };
}

function selectDesignPictures(
  pictures: readonly PictureSummary[],
  { coverPictureId, logoPictureId }: PageDesign,
) {
  const logo = pictures.find(({ id }) => id === logoPictureId);
  const cover = pictures.find(({ id }) => id === coverPictureId && id !== logoPictureId);
  return { cover, logo, others: pictures.filter((picture) => picture !== logo && picture !== cover) };
}

function renderCover(gallery: VisibleGallery, picture: PictureSummary): Html {
  const { width, height } = getPictureSizeAtWidth(LARGE_WIDTH, picture);
  return html`<img class="cover" src="${getPictureUrl(gallery, picture, LARGE_WIDTH)}" width="${width}" height="${height}" alt="${picture.caption ?? ''}">\n`;
}

function renderLogo(gallery: VisibleGallery, picture: PictureSummary): Html {
  const { width, height } = getPictureSizeAtWidth(SMALL_WIDTH, picture);
  return html`<img class="logo" src="${getPictureUrl(gallery, picture, SMALL_WIDTH)}" width="${Math.round((width * LOGO_HEIGHT) / height)}" height="${LOGO_HEIGHT}" alt="${picture.caption ?? ''}">\n`;
}

/** The picture in cards of messengers, which store and forward it: a public one. */
export function getCardPicture(gallery: VisibleGallery, design: PageDesign): LocalizedHtmlPage['picture'] {
  const { cover, logo, others } = selectDesignPictures(gallery.pictures, design);
  const picture = cover ?? others[0] ?? logo;
  if (!picture || gallery.ticket !== null) return undefined;
  const { width, height } = getPictureSizeAtWidth(MEDIUM_WIDTH, picture);
  return { address: getPictureUrl(gallery, picture, MEDIUM_WIDTH), width, height };
}
