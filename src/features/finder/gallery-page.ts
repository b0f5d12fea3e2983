import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import type { PictureRow } from '../memory-tags/gallery.repository.ts';
import { fit } from './fit.ts';
import type { Gallery } from './gallery.ts';
import { type Page, SECTIONS_BYTES } from './page-frame.ts';
import { captionedPicture } from './sections/gallery.ts';

/** Pictures on a page, where their captions leave room for as many. */
const MOST = 24;

/** Bytes of the title and of the ways on and back. */
const AROUND = 1_000;

/** The pictures of a memory tag from one on, as many as fit, and the way to those behind them. */
export function galleryPage(gallery: Gallery, from: number, locale: Locale): Page {
  const { tag } = locale;
  const { pictures, address, ticket } = gallery;
  const render = (some: readonly PictureRow[]) =>
    html`${some.map((picture) => captionedPicture(gallery, picture, locale))}`;
  const rest = pictures.slice(from - 1, from - 1 + MOST);
  const shown = fit(rest, render, SECTIONS_BYTES - AROUND);
  const next = from + (shown?.value.length ?? 0);
  const more = `${address}?lang=${tag}&from=${next}${ticket ? `&t=${ticket}` : ''}`;
  return {
    status: 200,
    locale,
    title: t(locale, 'finder.galleryTitle'),
    // In another language these may be others, and a ticket is in no address of the frame.
    address: from === 1 && ticket === null ? address : null,
    body: html`<h1>${t(locale, 'finder.galleryTitle')}</h1>
${shown?.markup}${next <= pictures.length && html`<p><a class="act plain" href="${more}">${t(locale, 'finder.galleryMore')}</a></p>\n`}<p><a href="${address.replace(/\/pictures$/, '')}?lang=${tag}">${t(locale, 'memorial.backToPage')}</a></p>`,
  };
}
