import { verifyWebhook } from '@qr-profile-service/client';
import { Webhook } from 'standardwebhooks';
import {
  createWebhookHeaders,
  generateWebhookSecret,
} from '../../../src/features/webhooks/webhook-signature.rules.ts';
import { t } from '../../tap.ts';

const [secret, other] = [generateWebhookSecret(), generateWebhookSecret()];
const body = JSON.stringify({ id: '6b0a1f22f8a1e2341b0c912a', type: 'code.lost', data: { title: 'Größe' } });
const sign = (secrets: readonly string[], at = new Date()) =>
  createWebhookHeaders(
    secrets.map((one) => ({ secret: one, endsAt: null })),
    { id: '6b0a1f22f8a1e2341b0c912a', at, body },
  );

t.test('accepts what the service and the reference library sign', async (t) => {
  const at = new Date();
  const id = '6b0a1f22f8a1e2341b0c912a';
  const reference = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  for (const headers of [reference, sign([secret]), new Headers(sign([secret]))])
    t.match(await verifyWebhook(body, headers, { secrets: secret }), { type: 'code.lost' });
  t.match(await verifyWebhook(Buffer.from(body), sign([secret]), { secrets: secret }), { id });
});

t.test('during a rotation one secret of either side is enough', async (t) => {
  t.ok(await verifyWebhook(body, sign([other, secret]), { secrets: secret }));
  t.ok(await verifyWebhook(body, sign([secret]), { secrets: [other, secret] }));
});

t.test('rejects another body, secret, time, and what has no signature', async (t) => {
  const options = { secrets: secret };
  const old = sign([secret], new Date(Date.now() - 301_000));
  const cases: [string, () => Promise<unknown>][] = [
    ['body', () => verifyWebhook(`${body} `, sign([secret]), options)],
    ['secret', () => verifyWebhook(body, sign([other]), options)],
    ['id', () => verifyWebhook(body, { ...sign([secret]), 'webhook-id': 'x' }, options)],
    ['old', () => verifyWebhook(body, old, options)],
    ['future', () => verifyWebhook(body, sign([secret], new Date(Date.now() + 301_000)), options)],
    ['no time', () => verifyWebhook(body, { ...sign([secret]), 'webhook-timestamp': 'NaN' }, options)],
    ['no tolerance', () => verifyWebhook(body, old, { ...options, toleranceSeconds: Number.NaN })],
    ['no headers', () => verifyWebhook(body, {}, options)],
    [
      'no base64',
      () => verifyWebhook(body, { ...sign([secret]), 'webhook-signature': 'v1,%% v2,a v1' }, options),
    ],
  ];
  for (const [name, verified] of cases)
    await t.rejects(verified(), { name: 'WebhookVerificationError' }, name);
  t.ok(await verifyWebhook(body, old, { ...options, toleranceSeconds: 400 }));
});
