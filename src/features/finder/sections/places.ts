import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { MemoryTagPlace } from '../../memory-tags/index.ts';
import { truncateToFit } from '../truncate-to-fit.ts';

/** Render places with map links within a number of bytes; the last are left out first. */
export function renderPlacesSection(
  places: readonly Static<typeof MemoryTagPlace>[],
  bytes: number,
  locale: Locale,
): Html | null {
  if (places.length === 0) return null;
  const render = (part: readonly Static<typeof MemoryTagPlace>[]) =>
    html`<section><h2>${t(locale, 'memorial.placesTitle')}</h2>\n<ul>${part.map((place) => renderPlaceItem(place, locale))}</ul></section>`;
  const truncated = truncateToFit(places, render, bytes);
  return truncated?.isWhole
    ? truncated.markup
    : html`${truncated?.markup}<p>${t(locale, 'finder.truncated')}</p>`;
}

function renderPlaceItem(
  { label, kind, latitude, longitude }: Static<typeof MemoryTagPlace>,
  locale: Locale,
): Html {
  const title =
    kind && kind !== 'OTHER'
      ? html`${t(locale, `memorial.placeKinds.${kind}`)}${t(locale, 'finder.labelSeparator')}`
      : null;
  const [north, east] = [latitude?.toFixed(6), longitude?.toFixed(6)];
  const map = `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`;
  const link =
    north !== undefined &&
    east !== undefined &&
    html` <a rel="noopener noreferrer nofollow" href="${map}">${t(locale, 'finder.mapLink')}</a>`;
  return html`<li>${title}<bdi>${label}</bdi>${link}</li>\n`;
}
