import { runInNewContext } from 'node:vm';
import { createGeolocationFormScript } from '../../../src/features/finder/page-scripts.ts';
import {
  hasTextBesidesCoordinates,
  isOnlyNumbers,
  parseCoordinates,
} from '../../../src/features/finder/position-text.rules.ts';
import { DEFAULT_LOCALE } from '../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

t.test('parses coordinates and links of common maps', async (t) => {
  const berlin = { latitude: 52.5163, longitude: 13.3777 };
  for (const text of [
    '52.5163, 13.3777',
    ' (52.5163,13.3777) ',
    'geo:52.5163,13.3777;u=35',
    'geo:52.5163,13.3777?z=19',
    'geo:0,0?q=52.5163,13.3777(Found dog)',
    'geo:52.5,13.3?q=52.5163,13.3777',
    'geo:0,0?q=52.5163%2C13.3777(Gate)',
    'https://www.google.com/maps/place/X/@52.5,13.3,17z/data=!3m1!4b1!4m6!3m5!1s0x0:0x0!8m2!3d52.5163!4d13.3777!16s',
    'https://www.google.com/maps/@52.5163,13.3777,15z',
    'https://maps.google.com/?q=52.5163,13.3777',
    'https://maps.google.com/maps?q=52.5163%2C13.3777',
    'https://www.google.com/maps/search/?api=1&query=52.5163,13.3777',
    'https://maps.apple.com/?ll=52.5163,13.3777&q=Pin',
    'https://maps.apple.com/place?coordinate=52.5163,13.3777&name=Pin',
    'https://www.openstreetmap.org/?mlat=52.5163&mlon=13.3777#map=16/52.5/13.3',
    'https://www.openstreetmap.org/#map=16/52.5163/13.3777',
    'https://waze.com/ul?ll=52.5163%2C13.3777&navigate=yes',
    'https://www.google.com/maps/search/52.516300,+13.377700?entry=tts',
    'https://www.google.co.uk/maps/@52.5163,13.3777,150m/data=!3m1!1e3',
    'https://www.google.com/maps/@52.5163,13.3777,3a,75y,90h/data=x',
    'https://maps.google.com/maps?ll=52.5,13.3&q=52.5163,13.3777',
    'https://share.here.com/l/52.5163,13.3777,Gate?z=17',
    'https://osmand.net/map?pin=52.5163,13.3777#16/52.5/13.3',
    'I am here: https://maps.google.com/?q=52.5163,13.3777 by the gate',
    'I am here (geo:52.5163,13.3777',
    'https://maps.google.com/?ll=52.5163,13.3777&z=17',
    'https://maps.google.com/?z=15.5&ll=52.5163%2C13.3777',
    'https://maps.google.com/?ll=52.5,13.3&z=3&q=52.5163,13.3777',
    'https://www.google.com/maps/@?api=1&map_action=map&center=52.5163,13.3777&zoom=18',
    'https://maps.apple.com/?ll=52.5163,13.3777',
    'https://maps.apple.com/?ll=52.5163,13.3777&q=Pin&z=16',
    'https://maps.apple.com/?ll=52.5163,13.3777&z=19',
    'https://waze.com/ul?ll=52.5163,13.3777&zoom=17',
  ])
    t.same(parseCoordinates(text), berlin, text);
  t.same(parseCoordinates('-33.8688, 151.2093'), { latitude: -33.8688, longitude: 151.2093 });
});

t.test('returns null for a text without coordinates', async (t) => {
  for (const text of [
    'by the gate',
    '12, 13 and more',
    'geo:0,0',
    'geo:0,0?q=Brandenburger+Tor',
    '0.0, 0.0',
    '52,51',
    '52,5163 13,3777',
    '52,5163; 13,3777',
    'N 52° 31.000 E 013° 22.660',
    '52°30\'58.7"N 13°22\'39.7"E',
    '9F4MGC8H+F3 Berlin',
    '91, 0',
    '0, 181',
    'https://example.org/?q=cafe',
    'https://shop.example/list?q=52.5163,13.3777',
    'https://shop.example/@52.5163,13.3777,17z',
    'https://maps.google.com.evil.example/?q=52.5163,13.3777',
    'https://www.google.com/search?q=52.5163,13.3777',
    'https://www.google.com/maps/@52.5163,13.3777,5z',
    'https://www.google.com/maps/@52.5163,13.3777,21000m/data=!3m1!1e3',
    'https://www.openstreetmap.org/#map=6/52.5163/13.3777',
    'https://maps.google.com/?ll=52.5163,13.3777',
    'https://maps.google.com/?ll=52.5163,13.3777&z=3',
    'https://www.google.com/maps/@?api=1&map_action=map&center=52.5163,13.3777',
    'https://www.google.com/maps/@?api=1&map_action=map&center=52.5163,13.3777&zoom=3',
    'https://maps.apple.com/?ll=52.5163,13.3777&z=2',
    'https://maps.apple.com/?ll=52.5163,13.3777&spn=10,10',
    'https://maps.apple.com/frame?center=52.5163,13.3777&span=10,10',
    'https://waze.com/ul?ll=52.5163,13.3777&z=6',
    'https://maps.google.com/?saddr=52.5,13.4&daddr=52.5163,13.3777',
    'https://maps.apple.com/?daddr=52.5163,13.3777',
    'https://maps.apple.com/directions?destination=52.5163,13.3777',
    'https://www.google.com/maps/dir/?api=1&destination=52.5163,13.3777',
    'https://www.google.com/maps/dir/Berlin/Potsdam/@52.5163,13.3777,17z/data=!3d52.5163!4d13.3777',
    'https://www.openstreetmap.org/directions?route=1,2;3,4#map=16/52.5163/13.3777',
    'pangeo:52.5163,13.3777',
    'geo://[?ll=52.5163,13.3777',
    'https://yandex.com/maps/?ll=13.3777,52.5163&z=16',
    'https://maps.google.com/?q=52.5163,13.3777 or https://maps.google.com/?q=52.6,13.4',
    'https://maps.app.goo.gl/abc',
    'https://what3words.com/filled.count.soap',
    '///filled.count.soap',
    '52.5163',
    '',
  ])
    t.equal(parseCoordinates(text), null, text);
});

t.test('any text gives valid coordinates or null', async () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', 'geo:', 'https://maps.apple.com/'),
      fc.string({ maxLength: 300 }),
      (start, rest) => {
        const text = `${start}${rest}`;
        const place = parseCoordinates(text);
        return place === null || (Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180);
      },
    ),
  );
});

t.test('tells a bare link or coordinates from text that adds to them', async (t) => {
  for (const text of [
    '',
    '52.5,13.4',
    '(52.5, 13.4)',
    'geo:52.5,13.4',
    'geo:52.5,13.4;u=35',
    'geo:52.5,13.4?z=19',
    'https://maps.app.goo.gl/abc',
    'https://maps.google.com/?q=52.5163,13.3777',
    'https://maps.google.com/?q=loc:52.5163,13.3777',
  ])
    t.notOk(hasTextBesidesCoordinates(text), text);
  for (const text of [
    'At the gate',
    'Gate 52.5,13.4',
    'https://osm.org/?mlat=1&mlon=2 by the door',
    'https://www.google.com/maps/place/Gate/@52.5,13.3,17z',
    'https://maps.apple.com/?ll=52.5163,13.3777&q=The+gate',
    'https://www.google.com/maps/place/%D0%92%D0%BE%D1%80/@52.5,13.3,17z',
    'https://www.google.com/maps/place/北京/@39.9,116.4,17z',
    'geo:0,0?q=Brandenburger+Tor',
    'geo:0,0?q=52.5163,13.3777(Found dog)',
    '52.5,13.4 x',
  ])
    t.ok(hasTextBesidesCoordinates(text), text);
});

t.test('tells numbers alone from a link, which its reader may want to open', async (t) => {
  for (const text of ['52.5,13.4', ' (52.5, 13.4) ', 'geo:52.5,13.4?z=19']) t.ok(isOnlyNumbers(text), text);
  for (const text of [
    'https://maps.google.com/?q=52.5163,13.3777',
    'geo:52.5,13.4?q=52.5,13.4(Gate)',
    'gate',
  ])
    t.notOk(isOnlyNumbers(text), text);
});

interface Found {
  coords: { latitude: number; longitude: number; accuracy: number };
}

const FOUND: Found = { coords: { latitude: 52.5, longitude: 13.4, accuracy: 9 } };

/** Run the script with a location form, in a browser whose clock and geolocation are the test's. */
function runGeolocationScript(
  getCurrentPosition: (done: (at: Found) => void, fail: (error?: { code: number }) => void) => void,
  findActiveElement: (page: { body: object; field: object; button: object }) => object | null = ({ body }) =>
    body,
) {
  const elements = { latitude: { value: '' }, longitude: { value: '' }, accuracy: { value: '' } };
  const handlers: Record<string, () => void> = {};
  const sent: string[][] = [];
  const button: { onclick?: () => void; disabled?: boolean; isFocused?: boolean; focus(): void } = {
    focus() {
      button.isFocused = true;
    },
  };
  const state = { textContent: '', setAttribute() {} };
  const body = {};
  const timers = new Map<number, () => void>();
  const addEventListener = (name: string, handler: () => void) => {
    handlers[name] = handler;
  };
  const submit = () => {
    // A browser restores the page as it was left.
    t.not(button.disabled, true, 'the button is enabled before the page is left');
    sent.push(Object.values(elements).map(({ value }) => String(value)));
  };
  const form = {
    elements,
    submit,
    insertBefore() {},
    querySelector: () => ({}),
    getAttribute: (name: string) => name,
    addEventListener,
  };
  runInNewContext(createGeolocationFormScript(DEFAULT_LOCALE), {
    document: {
      body,
      activeElement: findActiveElement({ body, field: {}, button }),
      getElementById: (id: string) => (id === 'share' ? form : null),
      createTextNode: () => ({}),
      createElement: (name: string) => (name === 'button' ? button : state),
    },
    window: { addEventListener },
    navigator: { geolocation: { getCurrentPosition } },
    setTimeout: (callback: () => void) => {
      timers.set(timers.size, callback);
      return timers.size - 1;
    },
    clearTimeout: (timer: number) => timers.delete(timer),
  });
  return { button, handlers, sent, state, submit, timers };
}

t.test('the script sends a position only with the button that requests it', async (t) => {
  const { button, handlers, sent, submit, timers } = runGeolocationScript((done) => done(FOUND));
  button.onclick?.();
  handlers.submit?.();
  submit();
  t.same(sent, [
    ['52.5', '13.4', '9'],
    ['', '', ''],
  ]);
  t.equal(timers.size, 0);
});

t.test('a browser that never answers leaves the button to press again', async (t) => {
  const calls: { done: (at: Found) => void; fail: () => void }[] = [];
  const { button, handlers, sent, state, timers } = runGeolocationScript((done, fail) => {
    calls.push({ done, fail });
  });
  button.onclick?.();
  t.equal(button.disabled, true);
  for (const fail of timers.values()) fail();
  t.match(
    [button.disabled, state.textContent],
    [false, translate(DEFAULT_LOCALE, 'finder.sharePositionTimedOut')],
  );
  button.onclick?.();
  t.match([button.disabled, state.textContent], [true, translate(DEFAULT_LOCALE, 'finder.shareSearching')]);
  calls[0]?.done(FOUND);
  calls[0]?.fail();
  t.match(
    [button.disabled, state.textContent],
    [true, translate(DEFAULT_LOCALE, 'finder.shareSearching')],
    'an answer after the end changes nothing',
  );
  t.same(sent, []);
  handlers.pageshow?.();
  t.match([button.disabled, state.textContent], [false, ''], 'a page that is shown again can be used');
  calls[1]?.done(FOUND);
  calls[1]?.done(FOUND);
  t.same(sent, [['52.5', '13.4', '9']]);
});

t.test('a position that is not found says why, and the button can be pressed again', async (t) => {
  for (const [code, text] of [
    [1, translate(DEFAULT_LOCALE, 'finder.sharePositionDenied')],
    [2, translate(DEFAULT_LOCALE, 'finder.sharePositionUnavailable')],
    [3, translate(DEFAULT_LOCALE, 'finder.sharePositionTimedOut')],
  ] as const) {
    const { button, sent, state } = runGeolocationScript((_done, fail) => fail({ code }));
    button.onclick?.();
    t.match([button.disabled, button.isFocused, state.textContent], [false, true, text]);
    t.same(sent, []);
  }
});

t.test('a failure focuses the button, but not while somebody types', async (t) => {
  for (const [name, findActiveElement, isFocused] of [
    ['the page', ({ body }) => body, true],
    ['the button', ({ button }) => button, true],
    ['nothing', () => null, true],
    ['a field', ({ field }) => field, undefined],
  ] as const satisfies [string, Parameters<typeof runGeolocationScript>[1], boolean | undefined][]) {
    const { button } = runGeolocationScript((_done, fail) => fail({ code: 1 }), findActiveElement);
    button.onclick?.();
    t.equal(button.isFocused, isFocused, name);
  }
});
