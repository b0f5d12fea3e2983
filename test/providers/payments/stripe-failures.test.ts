import type { ServerResponse } from 'node:http';
import type { PaymentError } from '../../../src/providers/payments/payments.port.ts';
import { createStripePaymentProvider } from '../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { t } from '../../tap.ts';
import { createExampleSubscription } from './examples.ts';
import {
  createListResponse,
  respondNotFound,
  respondWithError,
  type StripeReply,
  sendJson,
  startStripeServer,
} from './stripe-server.ts';

const SUBSCRIPTION = 'GET /v1/subscriptions/sub_1';
const CUSTOMERS = 'POST /v1/customers';
const ADA = { userId: 'u1', email: 'ada@example.org', language: 'en' };

const server = await startStripeServer(t);
const settings = {
  secretKey: 'sk_test_12345678',
  webhookSecrets: ['whsec_12345678'],
  apiBase: server.apiBase,
};
const payments = createStripePaymentProvider(settings, { request: 1_000 });
/** Without retries. */
const withoutRetries = createStripePaymentProvider(settings, { retries: 0 });
const hasty = createStripePaymentProvider(settings, { request: 200, retries: 0 });

/** The failure code and the retry delay. */
const getFailure = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    ({ failure, reason, retryAfter }: PaymentError) =>
      `${failure} ${reason}${retryAfter === null ? '' : ` ${retryAfter}`}`,
  );

/** Never responds. */
const silent = () => {};
/** Responds too late, with some bytes before. */
const trickling = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};
const cut = (response: ServerResponse) => response.destroy();
const cutInTheMiddle = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"object":"subscription","id":', () => response.destroy());
};
const large = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(`{"object":"subscription","id":"${'x'.repeat(17 * 1024 * 1024)}"}`);
};
const page = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end('<h1>Bad gateway</h1>');
};
const redirect = (response: ServerResponse) => {
  sendJson(response, 302, createExampleSubscription(), {
    location: `${server.apiBase}/v1/subscriptions/sub_2`,
  });
};
const soon = new Date(Date.now() + 90_000).toUTCString();

t.test('maps each error to a failure code', async (t) => {
  const api = { type: 'api_error' };
  const limited = { code: 'rate_limit' };
  const ways: Record<string, [StripeReply, RegExp]> = {
    '400': [respondWithError(400, { code: 'parameter_invalid_empty' }), /^REFUSED PARAMETER_INVALID_EMPTY$/],
    '400 without a code': [respondWithError(400), /^REFUSED INVALID_REQUEST$/],
    'a code that is no word': [
      respondWithError(400, { code: 'ada@example.org!' }),
      /^REFUSED INVALID_REQUEST$/,
    ],
    '400, a missing parameter of another thing': [
      respondWithError(400, { code: 'resource_missing', param: 'customer' }),
      /^ABSENT RESOURCE_MISSING$/,
    ],
    '400, other parameters under the key': [
      respondWithError(400, { type: 'idempotency_error' }),
      /^REFUSED IDEMPOTENCY$/,
    ],
    '400, too many calls': [respondWithError(400, limited), /^BUSY RATE_LIMIT$/],
    '401': [respondWithError(401), /^CREDENTIALS AUTHENTICATION$/],
    '402': [respondWithError(402, { type: 'card_error', code: 'card_declined' }), /^REFUSED CARD_DECLINED$/],
    '403': [respondWithError(403), /^CREDENTIALS PERMISSION$/],
    '404 of an address': [respondWithError(404), /^REFUSED INVALID_REQUEST$/],
    '409, the key is in use': [
      respondWithError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }),
      /^BUSY IDEMPOTENCY_KEY_IN_USE$/,
    ],
    '429': [respondWithError(429, limited, { 'retry-after': '7' }), /^BUSY RATE_LIMIT 7$/],
    '429 for too long': [
      respondWithError(429, limited, { 'retry-after': '86400' }),
      /^BUSY RATE_LIMIT 3600$/,
    ],
    '429 until a moment': [
      respondWithError(429, limited, { 'retry-after': soon }),
      /^BUSY RATE_LIMIT (8\d|90)$/,
    ],
    '429 with nonsense': [respondWithError(429, limited, { 'retry-after': 'soon' }), /^BUSY RATE_LIMIT$/],
    '429, a lock': [respondWithError(429, { code: 'lock_timeout' }), /^BUSY LOCK_TIMEOUT$/],
    '500': [respondWithError(500, api), /^UNAVAILABLE API$/],
    '503': [respondWithError(503, api, { 'retry-after': '5' }), /^UNAVAILABLE API 5$/],
    'a page of a proxy': [page(502), /^UNAVAILABLE UNREADABLE_ANSWER$/],
    'a page of a proxy, 404': [page(404), /^REFUSED UNREADABLE_ANSWER$/],
    'an error that says nothing': [
      (response) => sendJson(response, 500, {}),
      /^UNAVAILABLE UNREADABLE_ANSWER$/,
    ],
    'a page instead of an answer': [page(200), /^UNAVAILABLE CONNECTION$/],
    'an answer that is nothing': [{}, /^UNAVAILABLE CONNECTION$/],
    'another place': [redirect, /^UNAVAILABLE CONNECTION$/],
    'a connection that is cut': [cut, /^UNAVAILABLE CONNECTION$/],
    'an answer that is cut': [cutInTheMiddle, /^UNAVAILABLE CONNECTION$/],
    'an answer that is too large': [large, /^UNAVAILABLE CONNECTION$/],
  };
  for (const [name, [reply, failure]] of Object.entries(ways)) {
    server.setReply({ [SUBSCRIPTION]: reply });
    t.match(await getFailure(withoutRetries.undoCancellation('sub_1')), failure, name);
    t.notMatch(server.calls(), ['GET /v1/subscriptions/sub_2'], 'no redirect is followed');
  }
  for (const [name, reply] of Object.entries({ silent, trickling })) {
    server.setReply({ [SUBSCRIPTION]: reply });
    t.equal(await getFailure(hasty.undoCancellation('sub_1')), 'UNAVAILABLE TIMEOUT', name);
  }
  const nowhere = createStripePaymentProvider({ ...settings, apiBase: 'http://127.0.0.1:9' });
  t.match(await getFailure(nowhere.findSubscription('sub_1')), /^UNAVAILABLE CONNECTION$/, 'no server');
});

t.test('retries transient errors', async (t) => {
  const api = respondWithError(500, { type: 'api_error' });
  for (const [name, trouble] of Object.entries({ api, cut, cutInTheMiddle, silent })) {
    server.setReply({ [SUBSCRIPTION]: [trouble, createExampleSubscription()] });
    t.match(await payments.findSubscription('sub_1'), { id: 'sub_1' }, name);
    t.equal(server.requests.length, 2, name);
  }
});

t.test('retries after a timeout use one idempotency key', async (t) => {
  const done = { object: 'customer', id: 'cus_1' };
  for (const trouble of [silent, cut, respondWithError(409, { type: 'idempotency_error' })]) {
    server.setReply({ [CUSTOMERS]: [trouble, done] });
    t.equal(await payments.createCustomer(ADA, 'customer:u1'), 'cus_1');
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    t.same(keys, ['customer:u1', 'customer:u1']);
  }
});

t.test('recovers from an error that Stripe replays for its key', async (t) => {
  const repeated = respondWithError(
    500,
    { type: 'api_error' },
    { 'idempotent-replayed': 'true', 'stripe-should-retry': 'false' },
  );
  const others = { object: 'customer', id: 'cus_other', metadata: { userId: 'u2' } };
  const made = { object: 'customer', id: 'cus_1', metadata: { userId: 'u1' } };
  server.setReply({ [CUSTOMERS]: repeated, 'GET /v1/customers': createListResponse([others, made]) });
  t.equal(await payments.createCustomer(ADA, 'customer:u1'), 'cus_1');
  t.same(server.calls(), [CUSTOMERS, 'GET /v1/customers']);

  server.setReply({ [CUSTOMERS]: [repeated, made], 'GET /v1/customers': createListResponse([others]) });
  t.equal(await payments.createCustomer(ADA, 'customer:u1'), 'cus_1', 'it was not done');
  t.same(
    server.requests.map(({ headers }) => headers['idempotency-key']),
    ['customer:u1', undefined, 'customer:u1:again'],
  );

  const other = respondWithError(400, { type: 'idempotency_error' });
  server.setReply({ [CUSTOMERS]: [other, made], 'GET /v1/customers': createListResponse([made]) });
  t.equal(
    await payments.createCustomer(ADA, 'customer:u1'),
    'cus_1',
    'asked for with another language before',
  );
  t.same(server.calls(), [CUSTOMERS, 'GET /v1/customers']);

  const first = respondWithError(500, { type: 'api_error' }, { 'stripe-should-retry': 'false' });
  server.setReply({ [CUSTOMERS]: first });
  t.equal(await getFailure(payments.createCustomer(ADA, 'customer:u1')), 'UNAVAILABLE API');
  t.same(server.calls(), [CUSTOMERS], 'one that Stripe does not know of yet is tried again later');
});

t.test('limits the total time of one call', async (t) => {
  const calls = { [SUBSCRIPTION]: createExampleSubscription(), 'POST /v1/subscriptions/sub_1': silent };
  server.setReply(calls);
  const short = createStripePaymentProvider(settings, { request: 3_600_000, operation: 500 });
  const changed = short.changeSubscription('sub_1', 'price_2', new Date(), 'key');
  t.equal(await getFailure(changed), 'UNAVAILABLE TIMEOUT');
});

t.test('sends only the API key, version and user agent', async (t) => {
  server.setReply({ [SUBSCRIPTION]: createExampleSubscription() });
  for (let count = 0; count < 3; count += 1) await payments.findSubscription('sub_1');
  for (const { headers } of server.requests) {
    t.equal(headers.authorization, 'Bearer sk_test_12345678');
    t.match(headers['stripe-version'], /^2026-10-28\./);
    t.equal(headers['x-stripe-client-telemetry'], undefined);
    const client = JSON.parse(String(headers['x-stripe-client-user-agent']));
    t.notOk('platform' in client || 'telemetry_id' in client, 'nothing of the machine');
  }
});

t.test('maps missing objects to null and ignores them when deleting', async (t) => {
  server.setReply({
    [SUBSCRIPTION]: respondNotFound,
    'GET /v1/invoices/in_1': respondNotFound,
    'GET /v1/charges/ch_1': respondNotFound,
    'GET /v1/checkout/sessions/cs_1': respondNotFound,
    'POST /v1/checkout/sessions/cs_1/expire': respondNotFound,
    'DELETE /v1/customers/cus_1': respondNotFound,
    'DELETE /v1/subscriptions/sub_1': respondNotFound,
  });
  t.equal(await payments.findSubscription('sub_1'), null);
  t.equal(await payments.findInvoice('in_1'), null);
  t.equal(await payments.findInvoiceUrl('in_1'), null);
  t.equal(await payments.findInvoiceOfCharge('ch_1'), null);
  t.equal(await payments.findCheckout('cs_1'), null);
  t.equal(await payments.expireCheckout('cs_1'), undefined);
  t.equal(await payments.deleteCustomer('cus_1'), undefined);
  t.equal(await getFailure(payments.cancelSubscription('sub_1', 'NOW')), 'ABSENT RESOURCE_MISSING');
});
