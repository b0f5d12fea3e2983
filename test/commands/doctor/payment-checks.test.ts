import { REQUIRED_STRIPE_EVENTS } from '../../../src/providers/payments/stripe/inspect-account.ts';
import { readEventKinds } from '../../providers/payments/event-kinds.ts';
import {
  createListResponse,
  respondWithError,
  type StripeReply,
  startStripeServer,
} from '../../providers/payments/stripe-server.ts';
import { t } from '../../tap.ts';
import { diagnoseOne } from './doctor-helper.ts';

const server = await startStripeServer(t);
const URL = 'https://qr.example.org/api/webhooks/stripe';
const KEY = 'sk_test_a1b2c3d4e5f6';

const createEndpoint = (changes: object = {}) => ({
  object: 'webhook_endpoint',
  url: URL,
  status: 'enabled',
  enabled_events: [...REQUIRED_STRIPE_EVENTS],
  ...changes,
});

function diagnose(replies: { prices?: StripeReply; endpoints?: StripeReply | object[] }) {
  const { prices = createListResponse([]), endpoints = [createEndpoint()] } = replies;
  server.setReply({
    'GET /v1/prices': prices,
    'GET /v1/webhook_endpoints': Array.isArray(endpoints) ? createListResponse(endpoints) : endpoints,
  });
  return diagnoseOne('payments', {
    PUBLIC_BASE_URL: 'https://qr.example.org',
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRETS: 'whsec_a1b2c3d4e5f6',
    STRIPE_API_BASE: server.apiBase,
  });
}

t.test('finds the webhook endpoint of this service with all events, and changes nothing', async (t) => {
  t.match(await diagnose({}), { state: 'ok', found: 'the key works, the webhook endpoint has all events' });
  t.same(server.calls(), ['GET /v1/prices', 'GET /v1/webhook_endpoints']);
  t.match(await diagnose({ endpoints: [createEndpoint({ enabled_events: ['*'] })] }), { state: 'ok' });
  const disabled = createEndpoint({ status: 'disabled' });
  t.match(await diagnose({ endpoints: [disabled, createEndpoint()] }), { state: 'ok' });
});

t.test('an endpoint that is absent, disabled or lacks events is a problem', async (t) => {
  const other = createEndpoint({ url: 'https://other.example.org/api/webhooks/stripe' });
  t.match(await diagnose({ endpoints: [other] }), {
    state: 'problem',
    found: /no webhook endpoint for this service$/,
    advice: new RegExp(`to ${URL}\\.$`),
  });
  t.match(await diagnose({ endpoints: [createEndpoint({ status: 'disabled' })] }), {
    state: 'problem',
    found: /disabled$/,
  });
  const events = REQUIRED_STRIPE_EVENTS.filter((event) => !event.startsWith('refund.'));
  t.match(await diagnose({ endpoints: [createEndpoint({ enabled_events: events })] }), {
    state: 'problem',
    advice: 'Add them at Stripe: refund.created, refund.failed, refund.updated.',
  });
});

t.test('a key that is refused is a problem, one without a right a warning', async (t) => {
  const refused = await diagnose({ prices: respondWithError(401) });
  t.match(refused, { state: 'problem', found: 'Stripe refuses the key', advice: /STRIPE_SECRET_KEY/ });
  t.notMatch(JSON.stringify(refused), KEY);
  t.match(await diagnose({ endpoints: respondWithError(403) }), {
    state: 'warning',
    found: /its webhook endpoints cannot be read$/,
  });
  t.match(await diagnose({ prices: respondWithError(500, { type: 'api_error' }) }), {
    state: 'problem',
    found: /^fails \([A-Z_]+\)$/,
    advice: /STRIPE_API_BASE/,
  });
});

t.test('the required events exist at Stripe', async (t) => {
  const kinds = new Set((await readEventKinds()).map(({ kind }) => kind));
  for (const event of REQUIRED_STRIPE_EVENTS) t.ok(kinds.has(event), event);
});
