import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { createExampleEvent } from '../../../providers/payments/examples.ts';
import { t } from '../../../tap.ts';
import { NEXT_WEBHOOK_SECRET, startStripeWebhookServer, WEBHOOK_SECRET } from './stripe-webhook-server.ts';

const { app, post, database } = await startStripeWebhookServer(t);
const { webhooks } = Stripe;

let made = 0;
const eventText = (object: object = { object: 'product', id: 'prod_1' }) =>
  JSON.stringify(createExampleEvent('product.updated', object, { id: `evt_${++made}` }), null, 2);
const now = () => Math.floor(Date.now() / 1000);
const sign = (payload: string, how: { secret?: string; timestamp?: number; scheme?: string } = {}) =>
  webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, ...how });
/** The signature part of a header. */
const v1 = (header: string) => header.slice(header.indexOf('v1='));

const stored = () => database.client.webhookEvent.count();

t.test('an event the library verifies is accepted and stored once', async (t) => {
  const cases: Record<string, (payload: string) => string> = {
    'a header as the library makes it': (payload) => sign(payload),
    'the secret that takes the place of the other': (payload) =>
      sign(payload, { secret: NEXT_WEBHOOK_SECRET }),
    'signed by both secrets': (payload) =>
      `${sign(payload)},${v1(sign(payload, { secret: NEXT_WEBHOOK_SECRET }))}`,
    'a signature that fits, then one that does not': (payload) => `${sign(payload)},v1=potato`,
    'one that does not fit, then one that does': (payload) =>
      `${sign(payload, { secret: 'whsec_another' })},${v1(sign(payload))}`,
    'a signature of the old scheme beside it': (payload) => `${sign(payload)},v0=${'0'.repeat(64)}`,
    'a time that is within the tolerance': (payload) => sign(payload, { timestamp: now() - 290 }),
    'a clock that is ahead': (payload) => sign(payload, { timestamp: now() + 290 }),
  };
  for (const [name, header] of Object.entries(cases)) {
    const before = await stored();
    const payload = eventText();
    t.equal(await post(payload, { 'stripe-signature': header(payload) }), 200, name);
    t.equal(await stored(), before + 1, name);
  }
});

t.test('reads JSON of every shape as signed', async (t) => {
  const unicode = () => eventText({ object: 'product', name: 'Größe 中文 🙂 \u2028 \u0000 é e\u0301' });
  const payloads: Record<string, string> = {
    unicode: unicode(),
    'unicode in escapes': unicode().replaceAll(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
    'lines that end as on Windows': eventText().replaceAll('\n', '\r\n'),
    'on one line': JSON.stringify(JSON.parse(eventText())),
    'blanks around it': `\n  ${eventText()}\n\n`,
    'numbers that JavaScript would write otherwise': eventText().replace(
      '"livemode"',
      '"x": 1.0e2, "livemode"',
    ),
    'keys in another order, one of them twice': eventText().replace('{', '{ "type": "x",'),
  };
  const before = await stored();
  for (const [name, payload] of Object.entries(payloads)) {
    t.equal(await post(payload, { 'stripe-signature': sign(payload) }), 200, name);
    const anew = JSON.stringify(JSON.parse(payload), null, 4);
    t.equal(await post(anew, { 'stripe-signature': sign(payload) }), 400, `${name}, written anew`);
  }
  t.equal(await stored(), before + Object.keys(payloads).length);
});

t.test('an event the library rejects is 400, and nothing of it is stored', async (t) => {
  const before = await stored();
  const payload = eventText();
  const headers: Record<string, string | undefined> = {
    'no header': undefined,
    'an empty one': '',
    'one that is none': 'not a header of signatures',
    'one word': 'bad_header',
    'the scheme v0 alone': sign(payload, { scheme: 'v0' }),
    'an unknown scheme': sign(payload, { scheme: 'v2' }),
    'a signature that is none': `t=${now()},v1=bad_signature`,
    'no time': v1(sign(payload)),
    'a time alone': `t=${now()}`,
    'one of 301 s ago': sign(payload, { timestamp: now() - 301 }),
    'one of 1970': sign(payload, { timestamp: 12_345 }),
    'one of 310 s from now': sign(payload, { timestamp: now() + 310 }),
    'another time than was signed': sign(payload, { timestamp: now() - 400 }).replace(/^t=\d+/, `t=${now()}`),
    'a secret with a blank': sign(payload, { secret: `${WEBHOOK_SECRET} ` }),
    'the secret of another': sign(payload, { secret: 'whsec_another' }),
    'the key of the interface': sign(payload, { secret: 'sk_test_12345678' }),
    'the signature of another event': sign(eventText()),
  };
  for (const [name, header] of Object.entries(headers))
    t.equal(await post(payload, header === undefined ? {} : { 'stripe-signature': header }), 400, name);
  t.equal(await stored(), before);
});

t.test('rejects two signature headers', async (t) => {
  const before = await stored();
  const payload = eventText();
  const twice = [sign(payload), sign(payload)];
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const status = await new Promise((resolve, reject) => {
    const headers = { 'stripe-signature': twice, 'content-type': 'application/json' };
    request({ host: '127.0.0.1', port, path: '/api/webhooks/stripe', method: 'POST', headers })
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(payload);
  });
  t.equal(status, 400);
  t.equal(await stored(), before);
});

t.test('rejects a signed body that is not an event with 400 and stores nothing', async (t) => {
  const before = await stored();
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  const bodies: Record<string, string | Buffer> = {
    'nothing at all': '',
    'no JSON': '} not JSON; 123][',
    'half of an event': eventText().slice(0, -20),
    'a number': '1',
    'a list of events': `[${eventText()}]`,
    'an event of the other version of webhooks': JSON.stringify({ id: 'evt_1', object: 'v2.core.event' }),
    'an event without an id': JSON.stringify({ object: 'event', type: 'invoice.paid' }),
    'a live one, while the key is for tests': eventText().replace('"livemode": false', '"livemode": true'),
    'a mark before the text': Buffer.concat([mark, Buffer.from(eventText())]),
    'text of another encoding': Buffer.from(eventText({ name: 'Größe' }), 'latin1'),
    'text of two bytes a letter': Buffer.from(eventText(), 'utf16le'),
  };
  for (const [name, body] of Object.entries(bodies)) {
    const at = now();
    const mac = createHmac('sha256', WEBHOOK_SECRET).update(`${at}.`).update(body).digest('hex');
    t.equal(await post(body, { 'stripe-signature': `t=${at},v1=${mac}` }), 400, name);
  }
  t.equal(await stored(), before);
});

t.test('the smallest event that the library accepts is accepted', async (t) => {
  const payload = JSON.stringify({ id: 'evt_test_webhook', object: 'event' }, null, 2);
  t.equal(await post(payload, { 'stripe-signature': sign(payload) }), 200);
  const row = await database.client.webhookEvent.findFirst({ where: { eventId: 'evt_test_webhook' } });
  t.match(row, { kind: 'unknown', state: 'IGNORED' });
});
