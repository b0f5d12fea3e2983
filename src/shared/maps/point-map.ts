import { escapeHtml } from '../html.ts';
import type { Locale } from '../i18n/locales.ts';
import { t } from '../i18n/translate.ts';
import { type Box, drawLabel, FONT_SIZE, type MapCity, placeLabels, project, round } from './city-labels.ts';
import { MAP_COLORS } from './map-css.ts';
import { createMarks, drawMark } from './map-marks.ts';
import type { MapPoint, MapSize, MapView } from './map-view.ts';
import { chooseOutlines, createMapView, drawOutlines, EARTH_RADIUS_KM, findRoundNumber } from './map-view.ts';
import { loadOutlines, type Outline } from './outlines.ts';
import { geoPath } from './projections.ts';

export type { MapCity } from './city-labels.ts';
export type { MapPoint } from './map-view.ts';

export interface MapCityArea {
  /** Degrees. */
  latitude: number;
  longitude: number;
  radiusKm: number;
  minPopulation: number;
}

export interface PointMapOptions extends MapSize {
  locale: Locale;
  /** Differs between maps of one page. */
  id?: string;
  /** For labels, the largest first. */
  cities?: readonly MapCity[];
}

/** Older points are left out. */
export const MAX_MAP_POINTS = 50;

/** A position may be off by more than the visible part of a map. */
const MAX_ACCURACY_METERS = 500_000;
/** Positions of cities are known to about a kilometer. */
const MIN_WIDTH_KM = 36;
/** How far the outlines are from the coast. */
const OUTLINE_ERROR_KM = 4;
/** Above it, the error is not noticed. */
const MAX_SHARP_ERROR_PIXELS = 8;
/** Narrower maps get a small map of the region. */
const MAX_WIDTH_WITH_LOCATOR_KM = 300;
const LOCATOR_WIDTH_KM = 1_500;
/** By the radius of the map in kilometers. */
const MIN_POPULATIONS = [
  [60, 0],
  [200, 5_000],
  [800, 100_000],
  [3_000, 1_000_000],
] as const;

/**
 * Draw the places of scans, the oldest first, as SVG without scripts, styles and external resources. `MAP_CSS` gives
 * it dark colors.
 */
export async function renderPointMap(
  points: readonly MapPoint[],
  { width, height, locale, id = 'map', cities = [] }: PointMapOptions,
): Promise<string> {
  const { visiblePoints, firstNumber } = listVisiblePoints(points);
  const view = createMapView(visiblePoints, { width, height }, MIN_WIDTH_KM);
  const allOutlines = await loadOutlines();
  const outlines = chooseOutlines(view, allOutlines);
  const marks = createMarks(visiblePoints, firstNumber, view);
  const places = visiblePoints.map((point) => project(view, point)).filter((place) => place !== null);
  const newest = visiblePoints.at(-1);
  const locator = drawLocator(allOutlines.detailed, view, newest, places);
  const taken = [...marks.map(({ box }) => box), ...(locator ? [locator.box] : [])];
  const labels = placeLabels(cities, view, taken);
  // Content of an image cannot be reached by the keyboard.
  const hasLinks = visiblePoints.some(({ href }) => href !== undefined);
  const description = [
    t(locale, 'map.places', { count: visiblePoints.length }),
    newest && cities.length > 0 && t(locale, 'map.newestNear', { city: findNearest(cities, newest).name }),
  ]
    .filter(Boolean)
    .join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="${hasLinks ? 'group' : 'img'}" aria-labelledby="${id}-title ${id}-desc" font-family="system-ui,sans-serif" font-size="${FONT_SIZE}" direction="ltr">`,
    `<title id="${id}-title">${escapeHtml(t(locale, 'map.title'))}</title><desc id="${id}-desc">${escapeHtml(description)}</desc>`,
    drawBackground(outlines, view, id),
    drawAccuracy(visiblePoints, view),
    ...labels.map(drawLabel),
    drawTrail(visiblePoints, view),
    ...marks.map(drawMark),
    locator?.markup ?? '',
    drawScaleBar(view, locale),
    '</svg>',
  ].join('');
}

function isOnEarth({ latitude, longitude }: MapPoint): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function drawBackground(outlines: readonly Outline[], view: MapView, id: string): string {
  const { width, height, pixelsPerKm } = view;
  const errorPixels = OUTLINE_ERROR_KM * (pixelsPerKm ?? 0);
  const isSharp = errorPixels <= MAX_SHARP_ERROR_PIXELS;
  const path = drawOutlines(outlines, view, isSharp ? 2 : errorPixels * 2);
  // Blurred as far as it can be wrong.
  const blur = `<filter id="${id}-blur" filterUnits="userSpaceOnUse" x="0" y="0" width="${width}" height="${height}"><feGaussianBlur stdDeviation="${round(errorPixels / 2)}"/></filter>`;
  const border = isSharp
    ? `stroke="${MAP_COLORS.border}" stroke-width=".7" stroke-linejoin="round"`
    : `filter="url(#${id}-blur)"`;
  return `${isSharp ? '' : blur}<rect width="${width}" height="${height}" fill="${MAP_COLORS.water}"/><path d="${path}" fill="${MAP_COLORS.land}" ${border}/>`;
}

function drawTrail(points: readonly MapPoint[], { projection }: MapView): string {
  if (points.length < 2) return '';
  const coordinates = points.map(({ longitude, latitude }) => [longitude, latitude]);
  const path = geoPath(projection).digits(1)({ type: 'LineString', coordinates });
  return path
    ? `<path d="${path}" fill="none" stroke="${MAP_COLORS.mark}" stroke-width="2" stroke-linejoin="round" stroke-dasharray="1 5" stroke-linecap="round"/>`
    : '';
}

function drawAccuracy(points: readonly MapPoint[], view: MapView): string {
  return points
    .map((point, index) => {
      const place = project(view, point);
      const radius = ((point.accuracyMeters ?? 0) / 1_000) * (view.pixelsPerKm ?? 0);
      if (!place || radius < 12 || radius > view.width) return '';
      const color = index === points.length - 1 ? MAP_COLORS.mark : MAP_COLORS.old;
      return `<circle cx="${round(place.x)}" cy="${round(place.y)}" r="${round(radius)}" fill="${color}" fill-opacity=".12" stroke="${color}" stroke-opacity=".6"/>`;
    })
    .join('');
}

/** Find the area of a map whose cities can be labeled; null for a map of the world. */
export function findCityArea(points: readonly MapPoint[], size: MapSize): MapCityArea | null {
  const { center, radius, pixelsPerKm } = createMapView(
    listVisiblePoints(points).visiblePoints,
    size,
    MIN_WIDTH_KM,
  );
  if (pixelsPerKm === null) return null;
  const radiusKm = radius * EARTH_RADIUS_KM;
  const [, minPopulation = 5_000_000] = MIN_POPULATIONS.find(([maxRadius]) => radiusKm < maxRadius) ?? [];
  return { longitude: center[0], latitude: center[1], radiusKm, minPopulation };
}

function listVisiblePoints(points: readonly MapPoint[]): { visiblePoints: MapPoint[]; firstNumber: number } {
  const known = points.filter(isOnEarth);
  const visiblePoints = known.slice(-MAX_MAP_POINTS).map(({ accuracyMeters, ...point }) => ({
    ...point,
    accuracyMeters: accuracyMeters === null ? null : Math.min(accuracyMeters, MAX_ACCURACY_METERS),
  }));
  return { visiblePoints, firstNumber: known.length - visiblePoints.length + 1 };
}

function findNearest(cities: readonly MapCity[], point: MapPoint): MapCity {
  const distance = (city: MapCity) =>
    Math.hypot(
      city.latitude - point.latitude,
      (city.longitude - point.longitude) * Math.cos((point.latitude * Math.PI) / 180),
    );
  return cities.reduce((best, city) => (distance(city) < distance(best) ? city : best));
}

/** Draw a small map of the region in the corner that hides the fewest points. */
function drawLocator(
  outlines: readonly Outline[],
  view: MapView,
  newest: MapPoint | undefined,
  places: readonly { x: number; y: number }[],
): { markup: string; box: Box } | null {
  if (!newest || view.pixelsPerKm === null || view.width / view.pixelsPerKm > MAX_WIDTH_WITH_LOCATOR_KM)
    return null;
  const size = { width: Math.round(view.width / 5), height: Math.round(view.height / 4) };
  const [longitude, latitude] = view.center;
  const region = createMapView([{ longitude, latitude, accuracyMeters: null }], size, LOCATOR_WIDTH_KM);
  const path = drawOutlines(outlines, region, 0);
  const corners = [
    [view.width - size.width - 8, 8],
    [8, 8],
    [view.width - size.width - 8, view.height - size.height - 8],
  ] as const;
  const options = corners.map(([left, top]) => {
    const box = { left, top, right: left + size.width, bottom: top + size.height };
    const hidden = places.filter(
      ({ x, y }) => x > box.left - 14 && x < box.right + 14 && y > box.top - 14 && y < box.bottom + 14,
    );
    return { box, hidden: hidden.length };
  });
  const [{ box } = { box: null }] = options.sort((one, other) => one.hidden - other.hidden);
  if (!box) return null;
  const { width, height } = size;
  const markup = `<g transform="translate(${box.left} ${box.top})"><rect width="${width}" height="${height}" fill="${MAP_COLORS.water}"/><path d="${path}" fill="${MAP_COLORS.land}" stroke="${MAP_COLORS.border}" stroke-width=".5"/><circle cx="${width / 2}" cy="${height / 2}" r="4" fill="${MAP_COLORS.mark}" stroke="${MAP_COLORS.markText}" stroke-width="1.5"/><rect width="${width}" height="${height}" fill="none" stroke="${MAP_COLORS.border}"/></g>`;
  return { markup, box };
}

function drawScaleBar({ width, height, pixelsPerKm }: MapView, { tag }: Locale): string {
  if (pixelsPerKm === null) return '';
  const kilometers = findRoundNumber(width / 4 / pixelsPerKm);
  const length = round(kilometers * pixelsPerKm);
  const text = new Intl.NumberFormat(tag, { style: 'unit', unit: 'kilometer' }).format(kilometers);
  const line = `M12 ${height - 18}v6h${length}v-6`;
  return `<path d="${line}" fill="none" stroke="${MAP_COLORS.land}" stroke-width="4"/><path d="${line}" fill="none" stroke="${MAP_COLORS.text}" stroke-width="1.5"/><text x="${12 + length / 2}" y="${height - 18}" text-anchor="middle" fill="${MAP_COLORS.text}" stroke="${MAP_COLORS.land}" stroke-width="3" paint-order="stroke">${escapeHtml(text)}</text>`;
}
