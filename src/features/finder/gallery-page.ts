import { type LocalizedHtmlPage, MAX_PAGE_SECTIONS_BYTES } from '../../platform/pages/page-frame.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import type { PictureSummary } from '../codes/index.ts';
import { renderWithinBytes } from './field-value.ts';
import type { VisibleGallery } from './gallery.ts';
import { renderCaptionedPicture } from './sections/pictures.ts';

const MAX_PICTURES_PER_PAGE = 24;

/** Bytes of the heading and the navigation. */
const FRAME_BYTES = 1_000;

export function createGalleryPage(gallery: VisibleGallery, from: number, locale: Locale): LocalizedHtmlPage {
  const { tag } = locale;
  const { pictures, address, ticket } = gallery;
  const render = (part: readonly PictureSummary[]) =>
    html`${part.map((picture) => renderCaptionedPicture(gallery, picture, locale))}`;
  const rest = pictures.slice(from - 1, from - 1 + MAX_PICTURES_PER_PAGE);
  const page = renderWithinBytes(rest, render, MAX_PAGE_SECTIONS_BYTES - FRAME_BYTES);
  const next = from + (page?.value.length ?? 0);
  const nextLink = `${address}?lang=${tag}&from=${next}${ticket ? `&t=${ticket}` : ''}`;
  return {
    status: 200,
    locale,
    title: t(locale, 'finder.galleryTitle'),
    // A page may hold other pictures in another language, and a ticket must not be in links of the frame.
    address: from === 1 && ticket === null ? address : null,
    body: html`<h1>${t(locale, 'finder.galleryTitle')}</h1>
${page?.markup}${next <= pictures.length && html`<p><a class="act plain" href="${nextLink}">${t(locale, 'finder.galleryMore')}</a></p>\n`}<p><a href="${address.replace(/\/pictures$/, '')}?lang=${tag}">${t(locale, 'memorial.backToPage')}</a></p>`,
  };
}
