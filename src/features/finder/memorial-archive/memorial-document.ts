import { createPageCss, MEMORIAL_PAGE_CSS } from '../../../platform/pages/page-css.ts';
import type { Brand } from '../../../shared/brand.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { PictureRow } from '../../files/index.ts';
import {
  type GuestBookEntryContent,
  type MemoryTagRow,
  parseMemoryTagPlaces,
} from '../../memory-tags/index.ts';
import { renderGuestBookEntryList, renderMemorialParts } from '../sections/memorial.ts';

export interface ArchivedGuestBookEntry extends GuestBookEntryContent {
  createdAt: Date;
}

/** Blocks requests and scripts, even if the file is modified later. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** Avoid page breaks inside pictures and entries, and limit pictures to the height of a sheet. */
const PRINT_CSS =
  '@media print{figure,.messages li{break-inside:avoid}h2{break-after:avoid}.picture img{width:auto;max-width:100%;max-height:80vh}}';

export function renderMemorialDocumentHead(
  brand: Pick<Brand, 'color'>,
  tag: MemoryTagRow,
  locale: Locale,
): Html {
  const places = parseMemoryTagPlaces(tag);
  const { bornOn, diedOn } = tag;
  const { dates, epitaph } = renderMemorialParts({ bornOn, diedOn, epitaph: tag.epitaph || null }, locale);
  return html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}"><title>${tag.name}</title><style>${{ markup: `${createPageCss(brand)}${MEMORIAL_PAGE_CSS}${PRINT_CSS}` }}</style></head>
<body><main>
<div class="life"><p class="kind">${t(locale, 'finder.inMemory')}</p>
<h1>${tag.name}</h1>
${dates}</div>
${epitaph}
${tag.story && html`<section><h2>${t(locale, 'memorial.storyTitle')}</h2>\n<p class="story text">${tag.story}</p></section>\n`}${places.length > 0 && html`<section><h2>${t(locale, 'memorial.placesTitle')}</h2>\n<ul>${places.map((place) => renderPlaceItem(place, locale))}</ul></section>\n`}`;
}

export function renderMemorialPicturesTitle(locale: Locale): Html {
  return html`<h2>${t(locale, 'finder.galleryTitle')}</h2>\n`;
}

/** Render a picture as a data URL, so that the page works as a single file. */
export function renderEmbeddedPicture({ position, caption }: PictureRow, jpeg: Buffer, locale: Locale): Html {
  const text = caption ?? t(locale, 'finder.galleryPicture', { number: position });
  const source = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  const below = caption && html`<figcaption aria-hidden="true">${caption}</figcaption>`;
  return html`<figure class="picture"><img src="${{ markup: source }}" alt="${text}">${below}</figure>\n`;
}

export function renderMissingPicture({ position, caption }: PictureRow, locale: Locale): Html {
  const text = t(locale, 'memorial.pictureMissing', { number: position });
  return html`<figure class="picture"><p class="kind">${text}</p>${caption && html`<figcaption>${caption}</figcaption>`}</figure>\n`;
}

export function renderGuestBookTitle(locale: Locale): Html {
  return html`<h2>${t(locale, 'memorial.guestBookTitle')}</h2>\n`;
}

export function renderArchivedGuestBookEntries(
  entries: readonly ArchivedGuestBookEntry[],
  locale: Locale,
): Html {
  return html`${renderGuestBookEntryList(entries, locale)}\n`;
}

export function renderUnreadableGuestBookEntriesNote(count: number, locale: Locale): Html {
  return html`<p class="kind">${t(locale, 'memorial.entriesMissing', { count: count })}</p>\n`;
}

export function renderMemorialDocumentEnd(): Html {
  return html`</main></body></html>\n`;
}

/** Coordinates as text, because a map would need a network. */
function renderPlaceItem(
  { label, kind, latitude, longitude }: ReturnType<typeof parseMemoryTagPlaces>[number],
  locale: Locale,
): Html {
  const title =
    kind &&
    kind !== 'OTHER' &&
    html`${t(locale, `memorial.placeKinds.${kind}`)}${t(locale, 'finder.labelSeparator')}`;
  const position = latitude !== undefined && html` <bdi>(${latitude}, ${longitude})</bdi>`;
  return html`<li>${title}<bdi>${label}</bdi>${position}</li>\n`;
}
