import t from 'tap';
import { openPayments } from '../../../src/providers/payments/open-payments.ts';

const REAL = {
  secretKey: 'sk_live_12345678',
  webhookSecrets: ['whsec_1'],
  apiBase: 'https://api.stripe.com',
};
const SANDBOX = { secretKey: 'sk_test_12345678', webhookSecrets: ['whsec_2'], apiBase: 'http://127.0.0.1:9' };

t.test('What sells is what the settings say, and never the other', async (t) => {
  t.match(openPayments({ billing: 'stripe', stripe: REAL }, SANDBOX), { name: 'stripe', isSandbox: false });
  t.match(openPayments({ billing: 'sandbox', stripe: REAL }, SANDBOX), { name: 'stripe', isSandbox: true });
  t.equal(openPayments({ billing: 'off', stripe: REAL }, SANDBOX), null);
  t.equal(openPayments({ billing: 'stripe', stripe: null }, SANDBOX), null);
  t.equal(openPayments({ billing: 'sandbox', stripe: REAL }, null), null, 'a process beside no sandbox');
});
