import { startTestApp } from '../helper.ts';
import { buySubscription, createPrice, startSandbox } from '../packages/stripe-emulator/helper.ts';
import { t } from '../tap.ts';
import { createKeyFilePath, getCommandSettings } from './keys-helper.ts';
import { runCommand, runCommandInProcess } from './run-command.ts';

t.test(
  'maintenance reconcile-billing reports and repairs differences and reflects them in its exit code',
  async (t) => {
    const app = await startTestApp(t, { ENCRYPTION_KEYS_FILE: await createKeyFilePath(t) });
    const { client } = app.database;
    const { stripe, control, close, apiBase, secretKey, webhookSecrets } = await startSandbox(t, {
      now: () => new Date(),
    });
    const { id: userId, email } = await app.createUser();
    const price = await createPrice(stripe, 300);
    const { customer: customerId, subscription } = await buySubscription(stripe, control, price.id, {
      email,
    });
    await client.paymentCustomer.create({ data: { accountId: userId, provider: 'stripe-test', customerId } });
    const { id: packageId } = await client.subscriptionPackage.findUniqueOrThrow({
      where: { code: 'PERSONAL' },
    });
    const sold = { packageId, version: 1, interval: 'month', currency: 'EUR' };
    await client.paymentPrice.create({ data: { provider: 'stripe-test', priceId: price.id, ...sold } });

    const settings = {
      ...getCommandSettings(app),
      BILLING: 'stripe',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_API_BASE: apiBase,
      STRIPE_WEBHOOK_SECRETS: webhookSecrets.join(','),
    };
    const run = (...words: string[]) => runCommandInProcess('billing-reconcile', settings, ...words);

    const dry = await runCommand('billing-reconcile', settings, '--dry-run');
    t.match(dry, { code: 1, out: new RegExp(`^subscription ${subscription}: id none → ACTIVE$`, 'm') });
    t.match(dry.out, /Compared 1 subscription and 1 invoice: 2 differences, 0 repaired\./);
    t.equal(await client.subscription.count(), 0);
    t.match(await run(), { code: 0, out: /ACTIVE \(repaired\)[\s\S]*2 differences, 2 repaired\./ });
    t.match(await client.subscription.findFirst(), {
      accountId: userId,
      providerId: subscription,
      state: 'ACTIVE',
    });
    const again = await run();
    t.match(again, { code: 0, out: /: 0 differences, 0 repaired\./ });
    t.notOk((dry.out + again.out).includes(email), 'ids alone');
    t.equal(await client.auditEntry.count({ where: { action: 'PAYMENT_RECONCILED' } }), 2);
    t.match(await client.notification.findMany({ where: { event: 'payment.received' } }), [{ userId }]);

    t.match(await run('--days', '0'), { code: 64, out: '' });
    await close();
    t.match(await run(), { code: 75, errors: /Run it again later/ });
    t.match(await runCommandInProcess('billing-reconcile', { ...getCommandSettings(app), BILLING: 'off' }), {
      code: 69,
      out: '',
    });
  },
);
