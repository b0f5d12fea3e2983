import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import type { PaymentError } from '../../../src/providers/payments/payments.port.ts';
import { createStripePaymentProvider } from '../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';
import { createExampleEvent, createExampleSubscription } from './examples.ts';

const SECRET = 'whsec_of_the_service';
const NEXT_SECRET = 'whsec_that_takes_its_place';
const NOW = new Date('2026-11-22T09:00:00.700Z');
const SECONDS = Math.floor(NOW.getTime() / 1000);
const BODY = JSON.stringify(
  createExampleEvent('customer.subscription.updated', createExampleSubscription()),
  null,
  2,
);

const { webhooks } = Stripe;
const settings = { secretKey: 'sk_test_12345678', apiBase: 'http://127.0.0.1:9' };
const payments = createStripePaymentProvider({ ...settings, webhookSecrets: [SECRET, NEXT_SECRET] });

interface Signing {
  payload?: string;
  secret?: string;
  timestamp?: number;
  scheme?: string;
  signature?: string;
}

/** The library's own test header. */
const sign = (signing: Signing = {}) =>
  webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET, timestamp: SECONDS, ...signing });

/** The reason of a rejection; undefined when accepted. */
function getRejectionReason(body: string | Buffer, header: unknown, of = payments): string | undefined {
  try {
    of.readEvent(Buffer.from(body), header as string | undefined, NOW);
    return undefined;
  } catch (error) {
    const { failure, reason } = error as PaymentError;
    return `${failure} ${reason}`;
  }
}

t.test('a body signed by one of the secrets over its exact bytes is accepted', async (t) => {
  t.equal(getRejectionReason(BODY, sign()), undefined);
  t.equal(
    getRejectionReason(BODY, sign({ secret: NEXT_SECRET })),
    undefined,
    'the secret that takes the place',
  );
  t.equal(getRejectionReason(BODY, `${sign()},v1=potato`), undefined, 'one of several signatures fits');
  const both = `${sign({ secret: 'whsec_another' })},${sign().split(',')[1]}`;
  t.equal(getRejectionReason(BODY, both), undefined, 'the second of two fits');
  t.equal(
    getRejectionReason(BODY, `${sign()},v0=${'0'.repeat(64)}`),
    undefined,
    'v0 beside it is not looked at',
  );
  for (const age of [300, -300])
    t.equal(getRejectionReason(BODY, sign({ timestamp: SECONDS - age })), undefined, `${age} s old`);
});

t.test('rejects an invalid signature', async (t) => {
  const v0 = sign({ scheme: 'v0' });
  const attacks: Record<string, [body: string | Buffer, header: unknown]> = {
    'no signature': [BODY, undefined],
    'an empty one': [BODY, ''],
    'one that is none': [BODY, "I'm not even a real signature header"],
    'an array': [BODY, [sign()]],
    bytes: [BODY, Buffer.from(sign())],
    'a wrong one': [BODY, sign({ signature: '0'.repeat(64) })],
    'an empty signature': [BODY, `t=${SECONDS},v1=`],
    'no time': [BODY, sign().split(',')[1]],
    'only a time': [BODY, `t=${SECONDS}`],
    'two times, of which one is now': [BODY, `t=${SECONDS},${sign({ timestamp: SECONDS + 400 })}`],
    'a time that is none': [BODY, sign().replace(/^t=\d+/, 't=1e9')],
    'a time before 1970': [BODY, sign().replace(/^t=/, 't=-')],
    'another time than the one that was signed': [
      BODY,
      sign({ timestamp: SECONDS - 400 }).replace(/^t=\d+/, `t=${SECONDS}`),
    ],
    'one of 301 s ago': [BODY, sign({ timestamp: SECONDS - 301 })],
    'one of 301 s from now': [BODY, sign({ timestamp: SECONDS + 301 })],
    'one of the secret of another service': [BODY, sign({ secret: 'whsec_another' })],
    'v0 alone': [BODY, v0],
    'v0 with the name v1 in another place': [BODY, `${v0},v1`],
    'upper case': [BODY, sign().toUpperCase().replace('T=', 't=').replace('V1=', 'v1=')],
    'a header of 100 kB': [BODY, `${sign()}${',v1=0'.repeat(20_000)}`],
    'the same event written anew': [JSON.stringify(JSON.parse(BODY)), sign()],
    'one byte more': [`${BODY}\n`, sign()],
    'another event': [BODY.replace('sub_1', 'sub_2'), sign()],
    'a mark before the text': [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(BODY)]), sign()],
    'no body': ['', sign({ payload: '' })],
  };
  for (const [name, [body, header]] of Object.entries(attacks))
    t.match(getRejectionReason(body, header), /^SIGNATURE /, name);
  // A decoder that is not strict turns the invalid byte into the signed character.
  const signed = BODY.replace('sub_1', '\ufffd');
  const broken = Buffer.from(BODY.replace('sub_1', '\u00ff'), 'latin1');
  t.equal(getRejectionReason(broken, sign({ payload: signed })), 'SIGNATURE BODY', 'bytes that are no text');
});

t.test('rejects malformed bytes with any signature', async (t) => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(bytes, fc.string({ maxLength: 100 }), (body, header) => {
      const mac = createHmac('sha256', SECRET).update(`${SECONDS}.`).update(body).digest('hex');
      return [header, `t=${SECONDS},v1=${mac}`].every((one) =>
        getRejectionReason(Buffer.from(body), one)?.startsWith('SIGNATURE '),
      );
    }),
  );
  for (const payload of ['{}', 'null', '[]', '1', '"event"', '} no JSON', '{"object":"event"}'])
    t.match(getRejectionReason(payload, sign({ payload })), /^SIGNATURE /, payload);
  const thin = JSON.stringify({ id: 'evt_1', object: 'v2.core.event', livemode: false });
  t.match(
    getRejectionReason(thin, sign({ payload: thin })),
    /^SIGNATURE /,
    'an event of another kind of webhook',
  );
});

t.test('rejects an event of the other mode', async (t) => {
  const live = JSON.stringify(createExampleEvent('invoice.paid', {}, { livemode: true }));
  const header = sign({ payload: live });
  t.equal(getRejectionReason(live, header), 'SIGNATURE MODE');
  for (const secretKey of ['sk_live_12345678', 'rk_live_12345678']) {
    const inEarnest = createStripePaymentProvider({ ...settings, secretKey, webhookSecrets: [SECRET] });
    t.equal(getRejectionReason(live, header, inEarnest), undefined, secretKey);
    t.equal(getRejectionReason(BODY, sign(), inEarnest), 'SIGNATURE MODE', secretKey);
  }
  const without = JSON.stringify({ id: 'evt_test_webhook', object: 'event' });
  t.equal(
    getRejectionReason(without, sign({ payload: without })),
    undefined,
    'one that does not say is of a test',
  );
});
