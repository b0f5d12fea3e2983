import { loadCityIndex } from '../../../src/providers/geocoding/city-index.ts';
import { createOfflineGeocoder } from '../../../src/providers/geocoding/offline-geocoder.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const geocoder = createOfflineGeocoder();

/** Latitude, longitude, city, country. */
const PLACES: readonly (readonly [string, number, number, string, string])[] = [
  ['the Eiffel Tower', 48.8584, 2.2945, 'Paris', 'FR'],
  ['the middle of Berlin', 52.52, 13.405, 'Berlin', 'DE'],
  ['the Brandenburg Gate', 52.5163, 13.3777, 'Berlin', 'DE'],
  ['Manhattan', 40.758, -73.9855, 'New York City', 'US'],
  ['Brooklyn', 40.65, -73.95, 'Brooklyn', 'US'],
  ['Shibuya', 35.6595, 139.7005, 'Tokyo', 'JP'],
  ['Westminster', 51.4995, -0.1248, 'London', 'GB'],
  ['the Vatican', 41.9022, 12.4539, 'Vatican City', 'VA'],
  ['Zermatt', 46.0207, 7.7491, 'Zermatt', 'CH'],
  ['Basel', 47.5596, 7.5886, 'Basel', 'CH'],
  ['Longyearbyen', 78.2232, 15.6356, 'Longyearbyen', 'SJ'],
  ['McMurdo', -77.8419, 166.6683, 'McMurdo Station', 'AQ'],
  ['the Sydney Opera House', -33.8568, 151.2153, 'Sydney', 'AU'],
  ['Réunion', -20.88, 55.45, 'Saint-Denis', 'RE'],
  ['Pristina', 42.66, 21.16, 'Pristina', 'XK'],
  ['Las Palmas', 28.1, -15.43, 'Las Palmas de Gran Canaria', 'ES'],
];

for (const [name, latitude, longitude, city, country] of PLACES) {
  t.test(`a position at ${name} is ${city}, ${country}`, async (t) => {
    t.match(await geocoder.reverseGeocode(latitude, longitude), { city, country });
  });
}

t.test('the address is one line of city, region and country', async (t) => {
  t.same(await geocoder.reverseGeocode(46.0207, 7.7491), {
    address: 'Zermatt, Valais, CH',
    city: 'Zermatt',
    region: 'Valais',
    country: 'CH',
  });
});

t.test('prefers a small city of the same country to a large one across the border', async (t) => {
  t.match(await geocoder.reverseGeocode(48.5737, 7.8167), { city: 'Kehl', country: 'DE' });
  t.match(await geocoder.reverseGeocode(48.5734, 7.7521), { city: 'Strasbourg', country: 'FR' });
  t.match(await geocoder.reverseGeocode(47.5933, 7.6214), { city: 'Weil am Rhein', country: 'DE' });
  // The twelve nearest cities are abroad.
  t.match(await geocoder.reverseGeocode(49.521, 19.331), { city: 'Námestovo', country: 'SK' });
  t.match(await geocoder.reverseGeocode(46.48, 16.573), { city: 'Lendava', country: 'SI' });
});

t.test('returns null at sea', async (t) => {
  for (const [latitude, longitude] of [
    [0, 0],
    [-30, -140],
    [45, -40],
    [90, 0],
  ] as const) {
    t.equal(await geocoder.reverseGeocode(latitude, longitude), null, `${latitude}, ${longitude}`);
  }
});

t.test('returns only the country far from cities', async (t) => {
  t.same(await geocoder.reverseGeocode(-24.5, 128.5), {
    address: null,
    city: null,
    region: null,
    country: 'AU',
  });
});

t.test('omits regions with ambiguous codes', async (t) => {
  t.match(await geocoder.reverseGeocode(21.03, 105.85), { city: 'Hanoi', region: null, country: 'VN' });
});

t.test('handles every position on earth', async (t) => {
  const degrees = fc.tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  );
  const property = fc.assert(
    fc.asyncProperty(degrees, async ([latitude, longitude]) => {
      const place = await geocoder.reverseGeocode(latitude, longitude);
      return (
        place === null ||
        (/^[A-Z]{2}$/.test(place.country) && (place.city === null) === (place.address === null))
      );
    }),
    { numRuns: 2000, examples: [[[90, 180]], [[-90, -180]], [[-16.8, 180]], [[-16.8, -180]]] },
  );
  await t.resolves(property);
});

t.test('shares the data between geocoders', async (t) => {
  const second = createOfflineGeocoder();
  await Promise.all([second.preload(), second.preload()]);
  t.match(await second.reverseGeocode(48.8584, 2.2945), { city: 'Paris' });
});

t.test('names no city of another country', async (t) => {
  const cities = await loadCityIndex();
  const countries = new Map<string, Set<string>>();
  for (let city = 0; city < cities.positions.numItems; city += 1) {
    const { city: name } = cities.getNames(city);
    countries.set(name, (countries.get(name) ?? new Set()).add(cities.getCountry(city)));
  }
  const contradictions: string[] = [];
  for (let index = 0; index < 20_000; index += 1) {
    const [latitude, longitude] = [-55 + (index % 200) * 0.65, -180 + Math.floor(index / 200) * 3.6];
    const place = await geocoder.reverseGeocode(latitude, longitude);
    if (place?.city && !countries.get(place.city)?.has(place.country))
      contradictions.push(`${latitude}, ${longitude}: ${place.city}, ${place.country}`);
  }
  t.same(contradictions, []);
});

t.test('knows the land at the 180th meridian by both of its longitudes', async (t) => {
  for (const [latitude, country] of [
    [-16.8, 'FJ'],
    [68, 'RU'],
  ] as const) {
    const [east, west] = [
      await geocoder.reverseGeocode(latitude, 180),
      await geocoder.reverseGeocode(latitude, -180),
    ];
    t.equal(east?.country, country);
    t.same(east, west);
  }
});
