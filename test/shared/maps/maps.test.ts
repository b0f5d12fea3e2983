import { createMapRenderer } from '../../../src/platform/maps/map-renderer.ts';
import { createOfflineGeocoder } from '../../../src/providers/geocoding/offline-geocoder.ts';
import { DEFAULT_LOCALE } from '../../../src/shared/i18n/locales.ts';
import { createCountryMap, renderCountryMap } from '../../../src/shared/maps/country-map.ts';
import {
  findCityArea,
  MAX_MAP_POINTS,
  type MapPoint,
  renderPointMap,
} from '../../../src/shared/maps/point-map.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const MAX_BYTES = 40_000;
const SIZE = { width: 640, height: 400 };
const { findCities } = createOfflineGeocoder();

const point = (latitude: number, longitude: number, accuracyMeters: number | null = null): MapPoint => ({
  latitude,
  longitude,
  accuracyMeters,
});
const draw = async (points: readonly MapPoint[]) => {
  const area = findCityArea(points, SIZE);
  return renderPointMap(points, {
    ...SIZE,
    locale: DEFAULT_LOCALE,
    cities: area ? await findCities(area) : [],
  });
};
const listTexts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);

const BERLIN = point(52.5163, 13.3777, 40);
const POTSDAM = point(52.39, 13.06);
const PARIS = point(48.8566, 2.3522);

t.test('a map of one place names the cities around it, and has a scale', async (t) => {
  const svg = await draw([BERLIN]);
  const texts = listTexts(svg);
  t.ok(texts.includes('Berlin'), `${texts}`);
  t.ok(texts.includes('5 km'), `${texts}`);
  t.match(svg, '<title id="map-title">Map of the scans</title>');
  t.match(svg, '<desc id="map-desc">One place. Most recent: near Berlin.</desc>');
  t.equal(svg, await draw([BERLIN]), 'the same each time');
});

t.test('a map for a phone shows the coast in its small map of the region', async (t) => {
  const svg = await renderPointMap([BERLIN], { width: 380, height: 300, locale: DEFAULT_LOCALE });
  const locator = /<g transform[\s\S]*<\/g>/.exec(svg)?.[0] ?? '';
  t.ok((locator.match(/[Mz]/g) ?? []).length > 20, 'many outlines');
});

t.test('numbers the places in their order, the newest above the others', async (t) => {
  const svg = await draw([PARIS, POTSDAM, BERLIN]);
  t.same(
    listTexts(svg).filter((text) => /^\d/.test(text ?? '') && !text?.endsWith('km')),
    ['1', '2–3'],
    'places that would cover each other share a mark',
  );
  t.match(svg, '3 places, numbered and connected from oldest to newest.');
  t.same(
    listTexts(await draw([POTSDAM, BERLIN])).filter((text) => /^\d$/.test(text ?? '')),
    ['1', '2'],
  );
});

t.test('shows how far a position can be off', async (t) => {
  t.notMatch(await draw([BERLIN]), 'fill-opacity', 'not where the mark hides it');
  t.match(await draw([{ ...BERLIN, accuracyMeters: 3_000 }]), /<circle[^>]* fill-opacity/);
  const svg = await draw([{ ...BERLIN, accuracyMeters: 1e9 }]);
  t.notMatch(svg, /NaN|Infinity/);
});

t.test('draws every place on Earth in a bounded size', async (t) => {
  const places = {
    Suva: [point(-18.14, 178.44), point(-13.83, -171.77)],
    poles: [point(90, 0), point(89.9, 180), point(-90, 0)],
    'South Pole': [point(-90, 0)],
    'North Pole': [point(90, 0)],
    antipodes: [point(0, 0), point(0, 180)],
    Europe: [point(64.1, -21.9), point(35.1, 33.4), point(60.2, 24.9)],
    world: [point(-41, 174), point(52, 13), point(40, -74), point(-33, 18)],
    Norway: [point(58, 6), point(71, 26)],
    'island without outline': [point(-24.36, -128.32)],
    none: [],
  };
  for (const [name, points] of Object.entries(places)) {
    const svg = await draw(points);
    t.ok(svg.length <= MAX_BYTES, `${name}: ${svg.length} bytes`);
    t.notMatch(svg, /NaN|Infinity|undefined/, name);
  }
  const suva = await draw([point(-18.14, 178.44), point(-13.83, -171.77)]);
  const marks = [...suva.matchAll(/<rect x="([\d.]+)"[^>]*rx/g)].map(([, x]) => Number(x));
  t.equal(marks.length, 2, 'both sides of the antimeridian are near each other');
});

t.test('ignores what is not a place, and keeps the newest of many', async (t) => {
  t.match(await draw([point(91, 0), point(0, 181), point(Number.NaN, 0)]), 'No known places.');
  const many = Array.from({ length: 1_000 }, (_, index) => point(50 + index / 1_000, 10 + (index % 7)));
  const svg = await draw(many);
  t.ok(svg.length <= MAX_BYTES, `${svg.length}`);
  t.match(svg, `${MAX_MAP_POINTS} places`);
  t.match(svg, /\b1000<\/text>/);
});

t.test('has neither scripts nor styles nor addresses, and escapes names', async (t) => {
  const svg = await renderPointMap([BERLIN], {
    ...SIZE,
    locale: DEFAULT_LOCALE,
    cities: [{ name: '</text><script>', latitude: 52.55, longitude: 13.38, population: 1 }],
  });
  t.match(svg, '&#60;script&#62;');
  t.notMatch(svg.replace('http://www.w3.org/2000/svg', ''), /<script|style|href|https?:/);
});

t.test('a mark leads where its newest point does, by keyboard, too', async (t) => {
  const svg = await draw([
    { ...PARIS, href: '/scans/1' },
    { ...POTSDAM, href: '/scans/2' },
    { ...BERLIN, href: '/scans/3"><script>' },
  ]);
  t.match(svg, 'role="group"', 'an image has no links');
  t.same(
    [...svg.matchAll(/<a href="([^"]*)"><rect.*?<text[^>]*>([^<]*)<\/text><\/a>/g)].map(([, href, text]) => [
      href,
      text,
    ]),
    [
      ['/scans/1', '1'],
      ['/scans/3&#34;&#62;&#60;script&#62;', '2–3'],
    ],
  );
  t.match(await draw([PARIS, BERLIN]), 'role="img"');
});

t.test('any places make a bounded map', async () => {
  const arbitraryPoint = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    accuracyMeters: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryPoint, { maxLength: 6 }), async (points) => {
      const svg = await draw(points);
      return svg.length < 2 * MAX_BYTES && !/NaN|Infinity|undefined/.test(svg);
    }),
    { numRuns: 50 },
  );
});

t.test('a map of countries shades them by their counts, with a legend', async (t) => {
  const options = { ...SIZE, locale: DEFAULT_LOCALE, title: 'Countries', description: 'Most in Germany.' };
  const svg = await renderCountryMap(
    new Map([
      ['DE', 120],
      ['FR', 14],
      ['AT', 2],
      ['SG', 1],
      ['XK', 1],
      ['??', 9],
      ['NL', 0],
    ]),
    options,
  );
  t.same(listTexts(svg), ['1', '2', '14', '120']);
  t.match(svg, '<desc id="countries-desc">Most in Germany.</desc>');
  t.ok(svg.length <= MAX_BYTES, `${svg.length} bytes`);
  const empty = await renderCountryMap(new Map(), options);
  t.notMatch(empty, /NaN|Infinity/);
  t.ok(empty.length <= MAX_BYTES, `${empty.length} bytes`);
});

t.test('a thread draws the same map', async (t) => {
  const renderer = createMapRenderer({ findCities });
  t.teardown(() => renderer.close());
  t.equal(
    await renderer.renderPointMap('owner', [POTSDAM, BERLIN], { ...SIZE, language: 'en' }),
    await draw([POTSDAM, BERLIN]),
  );
});

t.test('finds the same countries as the statistics, and marks small ones by dots', async (t) => {
  const codes = ['DE', 'US', 'XK', 'TW', 'EH', 'SG', 'MT', 'VA', 'FJ', 'RU', 'AQ'];
  const map = await createCountryMap(new Map(codes.map((code) => [code, 1])), SIZE);
  const drawn = new Set([...map.areas, ...map.dots].map(({ country }) => country));
  t.same(
    codes.filter((code) => !drawn.has(code)),
    [],
  );
  t.ok(map.dots.some(({ country }) => country === 'VA'));
  t.notOk(map.dots.some(({ country }) => country === 'DE'));
});
