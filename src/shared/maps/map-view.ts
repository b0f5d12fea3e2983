import type { Outline, Outlines } from './outlines.ts';
import { createPathWriter } from './path-writer.ts';
import {
  type GeoPath,
  type GeoProjection,
  geoAzimuthalEqualArea,
  geoDistance,
  geoEqualEarth,
  geoPath,
} from './projections.ts';

export interface MapPoint {
  latitude: number;
  longitude: number;
  accuracyMeters: number | null;
  /** Where the mark of the point leads. */
  href?: string | undefined;
}

/** Pixels. */
export interface MapSize {
  width: number;
  height: number;
}

export interface MapView extends MapSize {
  projection: GeoProjection;
  /** Longitude and latitude in degrees. */
  center: [number, number];
  /** Radians from the center to the farthest visible place. */
  radius: number;
  /** Null where the scale differs too much between parts of the map. */
  pixelsPerKm: number | null;
}

/** A map of the whole world: longitude of its middle, and its southern end, in degrees. */
export interface World {
  longitude: number;
  south: number;
}

export const EARTH_RADIUS_KM = 6_371;

/** Beyond it, flat maps of a part of the globe mislead. */
const MAX_LOCAL_RADIUS = (70 * Math.PI) / 180;
/** Wider maps need no details. */
const MIN_COARSE_RADIUS = (45 * Math.PI) / 180;
const PADDING_PIXELS = 40;
const RADIANS = Math.PI / 180;

/** Choose the part of the globe that shows all points, at least `minWidthKm` wide, or the world. */
export function createMapView(
  points: readonly MapPoint[],
  size: MapSize,
  minWidthKm: number,
  world?: World,
): MapView {
  const center = findCenter(points);
  const reaches = points.map(
    (point) => geoDistance(center, [point.longitude, point.latitude]) + getAccuracyRadius(point),
  );
  if (points.length === 0 || Math.max(...reaches) > MAX_LOCAL_RADIUS)
    return createWorldView(world ?? { longitude: center[0], south: -90 }, size);
  const projection = geoAzimuthalEqualArea().rotate([-center[0], -center[1]]).scale(1).translate([0, 0]);
  const spans = points.map((point) => {
    const [x, y] = projection([point.longitude, point.latitude]) ?? [0, 0];
    const reach = getAccuracyRadius(point);
    return { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach };
  });
  const left = Math.min(...spans.map((span) => span.left));
  const right = Math.max(...spans.map((span) => span.right));
  const top = Math.min(...spans.map((span) => span.top));
  const bottom = Math.max(...spans.map((span) => span.bottom));
  // Also for the small map of a region.
  const padding = Math.min(PADDING_PIXELS, size.width / 4, size.height / 4);
  const scale = Math.min(
    (size.width * EARTH_RADIUS_KM) / minWidthKm,
    (size.width - 2 * padding) / Math.max(right - left, Number.EPSILON),
    (size.height - 2 * padding) / Math.max(bottom - top, Number.EPSILON),
  );
  const middle = [(left + right) / 2, (top + bottom) / 2] as const;
  const corner = Math.hypot(
    Math.abs(middle[0]) + size.width / 2 / scale,
    Math.abs(middle[1]) + size.height / 2 / scale,
  );
  const radius = 2 * Math.asin(Math.min(1, corner / 2));
  projection
    .scale(scale)
    .translate([size.width / 2 - middle[0] * scale, size.height / 2 - middle[1] * scale])
    .clipAngle(Math.min(179, radius / RADIANS + 1));
  return { ...size, projection, center, radius, pixelsPerKm: scale / EARTH_RADIUS_KM };
}

export function createWorldView({ longitude, south }: World, size: MapSize): MapView {
  const { width, height } = size;
  const projection = geoEqualEarth().rotate([-longitude, 0]);
  const edges = [-179.99, 0, 179.99].flatMap((edge) => [
    [longitude + edge, south],
    [longitude + edge, 0],
    [longitude + edge, 84],
  ]);
  projection.fitSize([width, height], { type: 'MultiPoint', coordinates: edges });
  return { ...size, projection, center: [longitude, 0], radius: Math.PI, pixelsPerKm: null };
}

export function chooseOutlines({ radius }: MapView, { detailed, coarse }: Outlines): readonly Outline[] {
  return radius > MIN_COARSE_RADIUS ? coarse : detailed;
}

/** Draw the outlines that can be visible as one path. @param margin pixels beyond the edges */
export function drawOutlines(
  outlines: readonly Outline[],
  { projection, center, radius, width, height }: MapView,
  margin = 2,
): string {
  projection.clipExtent([
    [-margin, -margin],
    [width + margin, height + margin],
  ]);
  const writer = createPathWriter();
  const draw: GeoPath = geoPath(projection, writer);
  for (const outline of outlines)
    if (geoDistance(center, outline.center) < radius + outline.radius) draw(outline.polygon);
  return writer.toString();
}

/** Radians. */
function getAccuracyRadius({ accuracyMeters }: MapPoint): number {
  return (accuracyMeters ?? 0) / 1_000 / EARTH_RADIUS_KM;
}

/** Find the mean direction from the center of the Earth, which knows no antimeridian and no poles. */
function findCenter(points: readonly MapPoint[]): [number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (const { latitude, longitude } of points) {
    const [phi, lambda] = [latitude * RADIANS, longitude * RADIANS];
    sum[0] += Math.cos(phi) * Math.cos(lambda);
    sum[1] += Math.cos(phi) * Math.sin(lambda);
    sum[2] += Math.sin(phi);
  }
  const [x, y, z] = sum;
  return [Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS];
}

/** The largest 1, 2 or 5 with zeros that is not above. */
export function findRoundNumber(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max));
  const lead = [5, 2, 1].find((digit) => digit * power <= max) ?? 1;
  return lead * power;
}
