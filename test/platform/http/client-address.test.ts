import Fastify, { type FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { createClientAddressStep } from '../../../src/platform/http/client-address.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { t } from '../../tap.ts';

async function startServer(t: Test, header = 'X-Forwarded-For') {
  const app: FastifyInstance = Fastify();
  t.teardown(() => app.close());
  const proxies = { trustProxy: ['10.0.0.0/8', 'fd00::/8'], clientAddressHeader: header };
  addRequestSteps(app, createClientAddressStep(app, proxies));
  app.get('/', (request) => request.clientAddress);
  return async (value: string | undefined, remoteAddress = '10.0.0.1', name = header.toLowerCase()) =>
    (await app.inject({ url: '/', remoteAddress, headers: value === undefined ? {} : { [name]: value } }))
      .body;
}

t.test('reads the address of the client in every form that proxies write', async (t) => {
  const read = await startServer(t);
  for (const [value, expected] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    [' 203.0.113.7:51234 ', '203.0.113.7'],
    ['"203.0.113.7:51234"', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['"[2001:db8::7]:51234"', '2001:db8::7'],
    ['2001:db8:0:0:0:0:0:7:51234', '2001:db8:0:0:0:0:0:7'],
    ['2001:db8::7:51234', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['198.51.100.1:80, 203.0.113.7:443', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7:443,10.1.2.3:80', '203.0.113.7'],
    ['203.0.113.7:1, [fd00::1]:2, , 10.1.2.3:3', '203.0.113.7'],
    ['10.1.2.3:80', '10.1.2.3'],
    [', ,', 'unknown'],
    [undefined, '10.0.0.1'],
  ] as const)
    t.equal(await read(value), expected, String(value));
  t.equal(await read('203.0.113.7', '::ffff:10.0.0.1'), '203.0.113.7', 'a mapped peer');
});

t.test('an address that cannot be read is unknown', async (t) => {
  const read = await startServer(t);
  for (const value of [
    'unknown',
    '_hidden',
    '203.0.113.7:',
    '203.0.113.7:port',
    '203.0.113.256',
    '010.0.0.1',
    '1.2.3',
    '[203.0.113',
    '[2001:db8::7',
    'fe80::1%',
    'localhost',
    '2001:db8::7::1',
    'for=203.0.113.7',
    '203.0.113.7, unknown, 10.1.2.3',
  ])
    t.equal(await read(value), 'unknown', value);
});

t.test('nobody can choose an address, or to be unknown, before a trusted proxy', async (t) => {
  const read = await startServer(t);
  for (const forged of ['198.51.100.1', 'unknown', '10.9.9.9', '"', '[', '', ',', '198.51.100.1:80:80'])
    t.equal(await read(`${forged}, 203.0.113.7:80`), '203.0.113.7', forged);
  t.equal(await read('198.51.100.1', '203.0.113.7'), '203.0.113.7', 'not through a proxy');
  t.equal(await read('unknown', '203.0.113.7'), '203.0.113.7');
  t.equal(await read('for=198.51.100.1', '10.0.0.1', 'forwarded'), 'unknown', 'another header');
});

t.test('reads Forwarded (RFC 7239) where it is the header', async (t) => {
  const read = await startServer(t, 'Forwarded');
  for (const [value, expected] of [
    ['for=203.0.113.7', '203.0.113.7'],
    ['proto=https;For="203.0.113.7:47011";by=10.0.0.1', '203.0.113.7'],
    ['for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['for=198.51.100.1, for=203.0.113.7;proto=http, for="10.1.2.3:80"', '203.0.113.7'],
    ['for="x, for=203.0.113.7', '203.0.113.7'],
    ['for="x";by="a;for=198.51.100.1", for=203.0.113.7', '203.0.113.7'],
    ['for=unknown', 'unknown'],
    ['for=_gazonk', 'unknown'],
    ['proto=https', 'unknown'],
    ['for=203.0.113.7, proto=https', 'unknown'],
  ] as const)
    t.equal(await read(value), expected, value);
  t.equal(await read('198.51.100.1', '10.0.0.1', 'x-forwarded-for'), 'unknown', 'another header');
});

t.test('reads a header with one address', async (t) => {
  const read = await startServer(t, 'X-Real-IP');
  t.equal(await read('203.0.113.7'), '203.0.113.7');
});
