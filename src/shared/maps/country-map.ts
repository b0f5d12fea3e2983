import { escapeHtml } from '../html.ts';
import type { Locale } from '../i18n/locales.ts';
import { createQuantileRanges } from '../quantile-ranges.ts';
import { MAP_COLORS } from './map-css.ts';
import {
  chooseOutlines,
  createMapView,
  createWorldView,
  drawOutlines,
  EARTH_RADIUS_KM,
  type MapPoint,
  type MapSize,
  type MapView,
} from './map-view.ts';
import { loadOutlines, type Outline } from './outlines.ts';

export interface CountryMapOptions extends MapSize {
  locale: Locale;
  title: string;
  description: string;
  /** Differs between maps of one page. */
  id?: string;
}

/** What is drawn, for SVG and PDF alike. */
export interface CountryMap extends MapSize {
  /** Countries without a count. */
  landPath: string;
  /** `shade` is from 1, the lightest, to 4. */
  areas: readonly { country: string; path: string; shade: number }[];
  /** Centers of countries that are too small to be recognized, in pixels. */
  dots: readonly { country: string; x: number; y: number; shade: number }[];
  legend: readonly { shade: number; from: number; to: number }[];
}

const SHADES = 4;
const LEGEND_HEIGHT = 28;
const MIN_RADIUS_PIXELS = 5;
/** So much of the world surrounds the countries. */
const MIN_WIDTH_KM = 5_000;
/** Ends at the Bering Strait and before Antarctica. */
const WORLD = { longitude: 11, south: -56 };
/** From the lightest to the darkest, on paper. */
export const MAP_SHADE_COLORS = ['#c3d9f4', '#85b3e8', '#3d80ce', '#0b4fb3'];

/** Draw countries in shades by their counts, zoomed to them. @param counts by ISO 3166-1 alpha-2 */
export async function createCountryMap(
  counts: ReadonlyMap<string, number>,
  size: MapSize,
): Promise<CountryMap> {
  const outlines = await loadOutlines();
  const { detailed } = outlines;
  const known = new Set(detailed.map(({ country }) => country));
  const counted = new Map([...counts].filter(([country, count]) => count > 0 && known.has(country)));
  const isCounted = ({ country }: Outline) => country !== null && counted.has(country);
  const legend = createQuantileRanges([...counted.values()], SHADES);
  const view = chooseView(detailed.filter(isCounted), size);
  const visible = chooseOutlines(view, outlines);
  const land = visible.filter((outline) => !isCounted(outline) && outline.country !== 'AQ');
  const areas: { country: string; path: string; shade: number }[] = [];
  const dots: { country: string; x: number; y: number; shade: number }[] = [];
  for (const [country, count] of counted) {
    const isOfCountry = (outline: Outline) => outline.country === country;
    const main = findLargest(detailed.filter(isOfCountry));
    if (!main) continue;
    const shade = legend.find(({ to }) => count <= to)?.shade ?? SHADES;
    const path = drawOutlines(visible.filter(isOfCountry), view);
    if (path !== '') areas.push({ country, path, shade });
    const place = findDot(main, view);
    if (place) dots.push({ country, ...place, shade });
  }
  return { ...size, landPath: drawOutlines(land, view), areas, dots, legend };
}

/** Draw the map as SVG without scripts, styles and external resources. `MAP_CSS` gives it dark colors. */
export async function renderCountryMap(
  counts: ReadonlyMap<string, number>,
  { width, height, locale, title, description, id = 'countries' }: CountryMapOptions,
): Promise<string> {
  const map = await createCountryMap(counts, { width, height: height - LEGEND_HEIGHT });
  const stroke = `stroke="${MAP_COLORS.border}" stroke-width=".7" stroke-linejoin="round"`;
  const areas = map.areas.map(
    ({ path, shade }) => `<path d="${path}" fill="${getShadeColor(shade)}" ${stroke}/>`,
  );
  const dots = map.dots.map(
    ({ x, y, shade }) =>
      `<circle cx="${x}" cy="${y}" r="5" fill="${getShadeColor(shade)}" stroke="${MAP_COLORS.text}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc" font-family="system-ui,sans-serif" font-size="12" direction="ltr">`,
    `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-desc">${escapeHtml(description)}</desc>`,
    `<rect width="${width}" height="${map.height}" fill="${MAP_COLORS.water}"/>`,
    `<path d="${map.landPath}" fill="${MAP_COLORS.land}" ${stroke}/>`,
    ...areas,
    ...dots,
    drawLegend(map, locale),
    '</svg>',
  ].join('');
}

export function formatLegendRange({ from, to }: { from: number; to: number }, { tag }: Locale): string {
  const format = new Intl.NumberFormat(tag);
  return from === to ? format.format(from) : format.formatRange(from, to);
}

function drawLegend({ legend, height }: CountryMap, locale: Locale): string {
  let x = 0;
  return legend
    .map(({ shade, ...range }) => {
      const text = formatLegendRange(range, locale);
      const left = x;
      x += text.length * 7 + 40;
      return `<rect x="${left + 0.5}" y="${height + 10.5}" width="16" height="12" fill="${getShadeColor(shade)}" stroke="${MAP_COLORS.border}"/><text x="${left + 22}" y="${height + 21}" fill="${MAP_COLORS.text}">${escapeHtml(text)}</text>`;
    })
    .join('');
}

function getShadeColor(shade: number): string {
  return `var(--map-${shade},${MAP_SHADE_COLORS[shade - 1]})`;
}

function chooseView(counted: readonly Outline[], size: MapSize): MapView {
  const codes = new Set(counted.map(({ country }) => country));
  const points = [...codes].flatMap((code): MapPoint[] => {
    const main = findLargest(counted.filter(({ country }) => country === code));
    if (!main) return [];
    const [longitude, latitude] = main.center;
    return [{ longitude, latitude, accuracyMeters: main.radius * EARTH_RADIUS_KM * 1_000 }];
  });
  return points.length > 0 ? createMapView(points, size, MIN_WIDTH_KM, WORLD) : createWorldView(WORLD, size);
}

function findLargest(parts: readonly Outline[]): Outline | undefined {
  return parts.reduce<Outline | undefined>(
    (largest, part) => (largest && largest.radius >= part.radius ? largest : part),
    undefined,
  );
}

function findDot({ center, radius }: Outline, { projection, width, height }: MapView) {
  const [x, y] = projection(center) ?? [-1, -1];
  const isTiny = radius * projection.scale() < MIN_RADIUS_PIXELS;
  return isTiny && x >= 0 && y >= 0 && x <= width && y <= height
    ? { x: Math.round(x), y: Math.round(y) }
    : null;
}
