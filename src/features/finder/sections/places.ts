import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import type { Place } from '../../memory-tags/memory-tags.schemas.ts';
import { fit } from '../fit.ts';

/** The places of a life, with the way to their maps, within so many bytes: the last of them are left out first. Null where there are none. */
export function placesSection(
  places: readonly Static<typeof Place>[],
  bytes: number,
  language: Language,
): Html | null {
  if (places.length === 0) return null;
  const { memorial, finder } = language;
  const render = (some: readonly Static<typeof Place>[]) =>
    html`<section><h2>${memorial.placesTitle}</h2>\n<ul>${some.map((place) => placeItem(place, language))}</ul></section>`;
  const fitting = fit(places, render, bytes);
  return fitting?.isWhole ? fitting.markup : html`${fitting?.markup}<p>${finder.shortened}</p>`;
}

function placeItem(
  { label, kind, latitude, longitude }: Static<typeof Place>,
  { memorial, finder }: Language,
): Html {
  const title = kind && kind !== 'OTHER' ? html`${memorial.placeKinds[kind]}${finder.colon}` : null;
  const [north, east] = [latitude?.toFixed(6), longitude?.toFixed(6)];
  const map = `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`;
  const link =
    north !== undefined &&
    east !== undefined &&
    html` <a rel="noopener noreferrer nofollow" href="${map}">${finder.mapLink}</a>`;
  return html`<li>${title}<bdi>${label}</bdi>${link}</li>\n`;
}
