import { geoCentroid, geoDistance } from './projections.ts';

/** One part of a country: mainland or island. */
export interface Outline {
  /** ISO 3166-1 alpha-2, XK for Kosovo; null for disputed areas. */
  country: string | null;
  polygon: GeoJSON.Polygon;
  /** Longitude and latitude in degrees of the middle of a circle around it. */
  center: [number, number];
  /** Radians. */
  radius: number;
}

export interface Outlines {
  detailed: readonly Outline[];
  /** For maps of continents; without small countries. */
  coarse: readonly Outline[];
}

let loading: Promise<Outlines> | undefined;

/** Load the outlines of all countries, once; this blocks the event loop for up to 0.2 s. */
export function loadOutlines(): Promise<Outlines> {
  loading ??= readOutlines();
  return loading;
}

async function readOutlines(): Promise<Outlines> {
  const { COARSE_COUNTRIES, DETAILED_COUNTRIES } = await import('./atlas.ts');
  return { detailed: listOutlines(DETAILED_COUNTRIES), coarse: listOutlines(COARSE_COUNTRIES) };
}

function listOutlines(countries: readonly GeoJSON.Feature<GeoJSON.Geometry, { name: string }>[]): Outline[] {
  return countries.flatMap((country) => {
    const code = findCountryCode(country.id, country.properties.name);
    return listPolygons(country).map((rings): Outline => {
      const center = geoCentroid({ type: 'MultiPoint', coordinates: rings[0] ?? [] });
      const distances = (rings[0] ?? []).map(([longitude = 0, latitude = 0]) =>
        geoDistance(center, [longitude, latitude]),
      );
      const polygon: GeoJSON.Polygon = { type: 'Polygon', coordinates: rings };
      return { country: code, polygon, center, radius: Math.max(...distances) };
    });
  });
}

function listPolygons({ geometry }: GeoJSON.Feature): GeoJSON.Position[][][] {
  const { type, coordinates } = geometry as GeoJSON.Polygon | GeoJSON.MultiPolygon;
  return type === 'Polygon' ? [coordinates] : coordinates;
}

/** Unicode replaces the numeric codes of ISO 3166-1 by letters. */
function findCountryCode(id: string | number | undefined, name: string): string | null {
  if (name === 'Kosovo') return 'XK';
  if (id === undefined) return null;
  const { region } = new Intl.Locale(`und-${id}`);
  return region && /^[A-Z]{2}$/.test(region) ? region : null;
}
