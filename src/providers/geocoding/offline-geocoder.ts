import { setImmediate as nextTurn } from 'node:timers/promises';
import { around, distance } from 'geokdbush';
import type { MapCity, MapCityArea } from '../../shared/maps/point-map.ts';
import { type CityIndex, loadCityIndex } from './city-index.ts';
import type { CityFinder, GeocodedPlace, Geocoder } from './geocoding.port.ts';

const MAX_DISTANCE_KM = 60;
const MAX_CANDIDATES = 12;
const MAX_CITIES = 200;
const KM_PER_DEGREE = 111;
/** Minimum population weight, so that a nearby hamlet is not lost to a distant city. */
const MIN_POPULATION = 500;

type CountryLookup = (longitude: number, latitude: number) => { country: string | null; onLand: boolean };

export interface OfflineGeocoder extends Geocoder, CityFinder {
  /** Load the data before the first call; this blocks the event loop for up to 0.3 s at a time. */
  preload(): Promise<void>;
}

/** Create a geocoder from GeoNames cities (CC BY 4.0) and country borders; 0.1 ms per position once loaded. */
export function createOfflineGeocoder(): OfflineGeocoder {
  let loading: Promise<{ cities: CityIndex; countryOf: CountryLookup }> | undefined;
  const load = () => {
    loading ??= loadGeocodingData();
    return loading;
  };

  return {
    name: 'offline',
    async preload() {
      await load();
    },
    async reverseGeocode(latitude, longitude) {
      const { cities, countryOf } = await load();
      return findPlace(cities, countryOf, latitude, longitude);
    },
    async findCities(area) {
      const { cities } = await load();
      return findLargestCities(cities, area);
    },
  };
}

async function loadGeocodingData() {
  const cities = await loadCityIndex();
  await nextTurn();
  return { cities, countryOf: await loadCountryLookup() };
}

async function loadCountryLookup(): Promise<CountryLookup> {
  const { featuresContaining } = await import('@rapideditor/country-coder');
  return (longitude, latitude) => {
    const areas = featuresContaining([longitude, latitude]).map((area) => area.properties);
    // Smallest first, so that Réunion is RE and not FR; skips reserved codes of ISO 3166-1 (IC, EA, AC).
    const found = areas.find(
      ({ iso1A2, isoStatus }) => iso1A2 && (isoStatus === 'official' || iso1A2 === 'XK'),
    );
    return { country: found?.iso1A2 ?? null, onLand: areas.length > 0 };
  };
}

function findPlace(
  cities: CityIndex,
  countryOf: CountryLookup,
  latitude: number,
  longitude: number,
): GeocodedPlace | null {
  const { country, onLand } = findCountry(countryOf, longitude, latitude);
  if (!onLand) return null;
  // A city of another country would contradict the country.
  const isInCountry = (city: number) => country === null || cities.getCountry(city) === country;
  const candidates = around(
    cities.positions,
    longitude,
    latitude,
    MAX_CANDIDATES,
    MAX_DISTANCE_KM,
    isInCountry,
  );
  const city = findBestCity(cities, candidates, latitude, longitude);
  const names = city === undefined ? { city: null, region: null } : cities.getNames(city);
  const countryCode = country ?? (city === undefined ? null : cities.getCountry(city));
  if (countryCode === null) return null;
  const line = [names.city, names.region, countryCode].filter((name) => name !== null).join(', ');
  return { address: names.city && line, ...names, country: countryCode };
}

function findLargestCities(cities: CityIndex, area: MapCityArea): MapCity[] {
  const found: MapCity[] = [];
  for (let city = 0; city < cities.size; city += 1) {
    const population = cities.getPopulation(city);
    if (population < area.minPopulation) continue;
    const [longitude, latitude] = cities.getPosition(city);
    // Cheaper than the distance, and enough for most.
    if (Math.abs(latitude - area.latitude) * KM_PER_DEGREE > area.radiusKm) continue;
    if (distance(longitude, latitude, area.longitude, area.latitude) > area.radiusKm) continue;
    found.push({ name: cities.getNames(city).city, latitude, longitude, population });
  }
  return found.sort((a, b) => b.population - a.population).slice(0, MAX_CITIES);
}

/** Borders end before the antimeridian, which has two longitudes. */
function findCountry(countryOf: CountryLookup, longitude: number, latitude: number) {
  const found = countryOf(longitude, latitude);
  if (found.onLand || Math.abs(longitude) < 180) return found;
  const inside = 179.999_99;
  const east = countryOf(inside, latitude);
  return east.onLand ? east : countryOf(-inside, latitude);
}

function findBestCity(
  cities: CityIndex,
  nearby: number[],
  latitude: number,
  longitude: number,
): number | undefined {
  const weighted = nearby.map((city) => {
    const [cityLongitude, cityLatitude] = cities.getPosition(city);
    const distanceKm = distance(longitude, latitude, cityLongitude, cityLatitude);
    return { city, weight: distanceKm / Math.sqrt(Math.max(MIN_POPULATION, cities.getPopulation(city))) };
  });
  return weighted.sort((a, b) => a.weight - b.weight)[0]?.city;
}
