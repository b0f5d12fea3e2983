import { openPaymentProvider } from '../../../src/providers/payments/open-payment-provider.ts';
import { t } from '../../tap.ts';

const REAL = {
  secretKey: 'sk_live_12345678',
  webhookSecrets: ['whsec_1'],
  apiBase: 'https://api.stripe.com',
};
const SANDBOX = { secretKey: 'sk_test_12345678', webhookSecrets: ['whsec_2'], apiBase: 'http://127.0.0.1:9' };

t.test('What sells is what the settings say, and never the other', async (t) => {
  const names = (billing: 'stripe' | 'sandbox', stripe = REAL) => {
    const { name, webhook, rehearsals } = openPaymentProvider({ billing, stripe }, SANDBOX) ?? {};
    return { name, webhook, rehearsals };
  };
  const webhook = 'stripe';
  t.same(names('stripe'), { name: 'stripe', webhook, rehearsals: ['sandbox', 'stripe-test'] });
  const restricted = { ...REAL, secretKey: 'rk_live_12345678' };
  t.same(names('stripe', restricted), { name: 'stripe', webhook, rehearsals: ['sandbox', 'stripe-test'] });
  const inTest = { ...REAL, secretKey: 'rk_test_12345678' };
  t.same(names('stripe', inTest), { name: 'stripe-test', webhook, rehearsals: ['sandbox'] });
  t.same(names('sandbox'), { name: 'sandbox', webhook, rehearsals: [] });
  t.equal(openPaymentProvider({ billing: 'off', stripe: REAL }, SANDBOX), null);
  t.equal(openPaymentProvider({ billing: 'stripe', stripe: null }, SANDBOX), null);
  t.equal(
    openPaymentProvider({ billing: 'sandbox', stripe: REAL }, null),
    null,
    'a process beside no sandbox',
  );
});
