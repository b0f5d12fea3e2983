import { openPaymentProvider } from '../../../src/providers/payments/open-payment-provider.ts';
import { t } from '../../tap.ts';

const REAL = {
  secretKey: 'sk_live_12345678',
  webhookSecrets: ['whsec_1'],
  apiBase: 'https://api.stripe.com',
};
const SANDBOX = { secretKey: 'sk_test_12345678', webhookSecrets: ['whsec_2'], apiBase: 'http://127.0.0.1:9' };

t.test('opens the configured provider', async (t) => {
  const names = (billing: 'stripe' | 'sandbox', stripe = REAL) => {
    const { name, webhook, testModeProviders } = openPaymentProvider({ billing, stripe }, SANDBOX) ?? {};
    return { name, webhook, testModeProviders };
  };
  const webhook = 'stripe';
  t.same(names('stripe'), { name: 'stripe', webhook, testModeProviders: ['sandbox', 'stripe-test'] });
  const restricted = { ...REAL, secretKey: 'rk_live_12345678' };
  t.same(names('stripe', restricted), {
    name: 'stripe',
    webhook,
    testModeProviders: ['sandbox', 'stripe-test'],
  });
  const inTest = { ...REAL, secretKey: 'rk_test_12345678' };
  t.same(names('stripe', inTest), { name: 'stripe-test', webhook, testModeProviders: ['sandbox'] });
  t.same(names('sandbox'), { name: 'sandbox', webhook, testModeProviders: [] });
  t.equal(openPaymentProvider({ billing: 'off', stripe: REAL }, SANDBOX), null);
  t.equal(openPaymentProvider({ billing: 'stripe', stripe: null }, SANDBOX), null);
  t.equal(
    openPaymentProvider({ billing: 'sandbox', stripe: REAL }, null),
    null,
    'a process beside no sandbox',
  );
});
