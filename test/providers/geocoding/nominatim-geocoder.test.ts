import { createNominatimGeocoder } from '../../../src/providers/geocoding/nominatim-geocoder.ts';
import { isPublicIpAddress, resolveAllowedHostAddresses } from '../../../src/shared/public-address.ts';
import { t } from '../../tap.ts';
import { BRANDENBURG_GATE, respondWith, startTestGeocoder } from './test-geocoder.ts';

const server = await startTestGeocoder(t);
const geocoder = createNominatimGeocoder({ url: `${server.url}/maps/`, userAgent: 'the-service/1' });
const INVALID_RESPONSE = { message: 'invalid response' };

t.test('sends a Nominatim request and parses the place', async (t) => {
  t.same(await geocoder.reverseGeocode(52.5163, -0.5), {
    address: BRANDENBURG_GATE.display_name,
    city: 'Berlin',
    region: 'Berlin',
    country: 'DE',
  });
  const [request] = server.requests;
  t.equal(request?.url.pathname, '/maps/reverse');
  t.match(Object.fromEntries(request?.url.searchParams ?? []), {
    format: 'jsonv2',
    lat: '52.5163',
    lon: '-0.5',
  });
  t.equal(request?.userAgent, 'the-service/1');
  server.does = respondWith({ error: 'Unable to geocode' });
  t.equal(await geocoder.reverseGeocode(0, 0), null, 'nothing is there');
  const names = `${'é\u0000\n\u202e '.repeat(400)}`;
  server.does = respondWith({
    display_name: names,
    address: { village: ['x'], town: ' a\tb ', country_code: 'FR' },
  });
  const place = await geocoder.reverseGeocode(1, 1);
  t.match(place, { city: 'a b', region: null, country: 'FR' }, 'only texts, on one line');
  t.ok([...(place?.address ?? '')].length <= 300);
  t.notMatch(place?.address, /\p{Cc}|\p{Cf}/u);
});

t.test('rejects a malformed response without repeating it', async (t) => {
  for (const body of [
    '',
    'canary',
    '[]',
    'null',
    '"x"',
    '{}',
    '{"address":{}}',
    { address: { country_code: 'deu' } },
    { address: { country_code: 7 } },
    { address: [] },
    '{"address":{"country_code":"de"}',
  ]) {
    server.does = respondWith(body);
    await t.rejects(geocoder.reverseGeocode(1, 1), INVALID_RESPONSE, JSON.stringify(body));
  }
  server.does = (response) => response.end(Buffer.from([0x22, 0xff, 0x22]));
  await t.rejects(geocoder.reverseGeocode(1, 1), INVALID_RESPONSE, 'not UTF-8');
});

t.test('a slow, huge, redirecting, truncated or absent server fails within the time limit', async (t) => {
  const before = server.requests.length;
  server.does = (response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end();
  await t.rejects(geocoder.reverseGeocode(1, 1), { message: 'status 302' });
  t.equal(server.requests.length, before + 1, 'a redirect is not followed');
  server.does = (response) => response.writeHead(500).end('x');
  await t.rejects(geocoder.reverseGeocode(1, 1), { message: 'status 500' });
  server.does = respondWith({ ...BRANDENBURG_GATE, display_name: 'x'.repeat(65 * 1024) });
  await t.rejects(geocoder.reverseGeocode(1, 1), { message: 'response too large' });
  let isOpen = true;
  server.does = (response) => {
    response.once('close', () => (isOpen = false));
    const pour = () => {
      while (isOpen && response.write('x'.repeat(16_000)));
      if (isOpen) response.once('drain', pour);
    };
    pour();
  };
  await t.rejects(geocoder.reverseGeocode(1, 1), { message: 'response too large' }, 'without an end');
  server.does = (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  };
  await t.rejects(geocoder.reverseGeocode(1, 1), /ECONNRESET|incomplete response|aborted/);
  server.does = () => undefined;
  await t.rejects(geocoder.reverseGeocode(1, 1), { message: 'timeout' }, 'silent');
  server.does = (response) => {
    const drip = setInterval(() => response.write(' '), 100);
    response.once('close', () => clearInterval(drip));
  };
  await t.rejects(geocoder.reverseGeocode(1, 1), { message: 'timeout' }, 'a drop at a time');
  await server.stop();
  await t.rejects(geocoder.reverseGeocode(1, 1), { message: 'ECONNREFUSED' });
});

t.test('connects to public addresses only, or to loopback if configured', async (t) => {
  for (const address of [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '0.0.0.0'],
    ...['100.64.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '64:ff9b::a00:1', 'fc00::1', 'fd12::1', 'fe80::1'],
    ...['ff02::1', '2001:db8::1', '2002:7f00:1::', '2001::1', 'example.org', ''],
  ])
    t.notOk(isPublicIpAddress(address), address);
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2600:1901::1', '2a01:4f8::1'])
    t.ok(isPublicIpAddress(address), address);
  for (const host of ['10.0.0.1', '[fd00::1]', '169.254.169.254'])
    await t.rejects(resolveAllowedHostAddresses(host), { message: 'address not allowed' }, host);
  t.match(await resolveAllowedHostAddresses('127.0.0.1'), [{ address: '127.0.0.1' }]);
  t.ok((await resolveAllowedHostAddresses('localhost')).length > 0);
  t.match(await resolveAllowedHostAddresses('[::1]'), [{ address: '::1' }]);
  for (const url of ['https://10.0.0.1', 'https://192.168.0.1:8443'])
    await t.rejects(createNominatimGeocoder({ url, userAgent: 'x' }).reverseGeocode(1, 1), {
      message: 'address not allowed',
    });
});
