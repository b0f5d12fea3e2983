import { setImmediate as nextTurn } from 'node:timers/promises';
import { around, distance } from 'geokdbush';
import { type CityIndex, loadCities } from './city-index.ts';
import type { Geocoder, Place } from './geocoding.port.ts';

/** How far, in kilometres, a place may be to give its name to a position, and how many are weighed. */
const MAX_DISTANCE = 60;
const NEAREST = 12;
/** Fewer people than these count as these many: a hamlet next door does not lose to a city far away. */
const MIN_POPULATION = 500;

type CountryOf = (longitude: number, latitude: number) => { country: string | null; onLand: boolean };

/** A geocoder that asks nobody, with a way to have it ready before the first question. */
export interface OfflineGeocoder extends Geocoder {
  /** Loads the data, once; the first `locate` does it otherwise. It takes the event loop for up to 0.3 s at a time. */
  ready(): Promise<void>;
}

/**
 * Names positions from data in packages: cities of GeoNames (CC BY 4.0), countries by their borders. The city is
 * the one of the 12 nearest, in the same country if there are any, whose distance ÷ √population is smallest.
 * Accurate to the city, not the street; 0.1 ms a position once loaded.
 */
export function createOfflineGeocoder(): OfflineGeocoder {
  let loading: Promise<{ cities: CityIndex; countryOf: CountryOf }> | undefined;
  const load = () => {
    loading ??= loadAll();
    return loading;
  };

  return {
    name: 'offline',
    async ready() {
      await load();
    },
    async locate(latitude, longitude) {
      const { cities, countryOf } = await load();
      return placeAt(cities, countryOf, latitude, longitude);
    },
  };
}

async function loadAll() {
  const cities = await loadCities();
  await nextTurn();
  return { cities, countryOf: await loadCountries() };
}

async function loadCountries(): Promise<CountryOf> {
  const { featuresContaining } = await import('@rapideditor/country-coder');
  return (longitude, latitude) => {
    const areas = featuresContaining([longitude, latitude]).map((area) => area.properties);
    // Smallest first, so that Réunion is RE and not FR. Codes that ISO 3166-1 only reserves (IC, EA, AC) are passed over.
    const found = areas.find(
      ({ iso1A2, isoStatus }) => iso1A2 && (isoStatus === 'official' || iso1A2 === 'XK'),
    );
    return { country: found?.iso1A2 ?? null, onLand: areas.length > 0 };
  };
}

function placeAt(cities: CityIndex, countryOf: CountryOf, latitude: number, longitude: number): Place | null {
  const { country, onLand } = countryOf(longitude, latitude);
  if (!onLand) return null;
  const near = around(cities.positions, longitude, latitude, NEAREST, MAX_DISTANCE);
  const same = near.filter((city) => cities.countryOf(city) === country);
  const city = best(cities, same.length > 0 ? same : near, latitude, longitude);
  const names = city === undefined ? { city: null, region: null } : cities.namesOf(city);
  const itsCountry = country ?? (city === undefined ? null : cities.countryOf(city));
  if (itsCountry === null) return null;
  const line = [names.city, names.region, itsCountry].filter((name) => name !== null).join(', ');
  return { address: names.city && line, ...names, country: itsCountry };
}

function best(cities: CityIndex, near: number[], latitude: number, longitude: number): number | undefined {
  const weighed = near.map((city) => {
    const [cityLongitude, cityLatitude] = cities.positionOf(city);
    const away = distance(longitude, latitude, cityLongitude, cityLatitude);
    return { city, weight: away / Math.sqrt(Math.max(MIN_POPULATION, cities.populationOf(city))) };
  });
  return weighed.sort((a, b) => a.weight - b.weight)[0]?.city;
}
