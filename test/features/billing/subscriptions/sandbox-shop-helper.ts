import { startStripeEmulator } from '@qr-profile-service/stripe-emulator';
import type { Test } from 'tap';
import { createStripePaymentProvider } from '../../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { startTestApp, type TestUser } from '../../../helper.ts';
import {
  createControlClient,
  createStripeSdk,
  SILENT_LOG,
} from '../../../packages/stripe-emulator/helper.ts';
import { waitFor } from '../../personal-data/helper.ts';
import { PERSONAL_PACKAGE_ID } from './shop-helper.ts';

/** Start an application that sells through the Stripe emulator, with the real library and signed webhooks. */
export async function startSandboxShop(t: Test) {
  const port = await findFreePort();
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/stripe`;
  const sandbox = await startStripeEmulator({ webhookUrl, store: null, production: false, log: SILENT_LOG });
  t.after(() => sandbox.close());
  const payments = createStripePaymentProvider({ ...sandbox, isSandbox: true });
  const test = await startTestApp(t, {}, { payments });
  await test.app.listen({ host: '127.0.0.1', port });
  const { call, createUser, database } = test;
  const control = createControlClient(sandbox);
  const path = (rest: string) => `/api/subscription/${rest}`;

  const buy = (token: string, body: object = {}) =>
    call('POST', path('checkout-session'), {
      token,
      body: { packageId: PERSONAL_PACKAGE_ID, interval: 'month', ...body },
    });

  /** Press a button as a browser does. */
  const press = (url: string, button: string) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(url).origin },
      body: new URLSearchParams({ do: button }),
    });

  const status = async (token: string) => (await call('GET', path('status'), { token })).body;

  /** Wait until no event is undelivered and no sync is due. */
  const waitUntilIdle = () =>
    waitFor(async () => {
      const { deliveries } = await control<{ deliveries: { state: string }[] }>('deliveries');
      if (deliveries.some(({ state }) => state === 'waiting')) return false;
      const rows = await database.client.$queryRaw<
        object[]
      >`SELECT FROM payment_syncs WHERE completed_count < requested_count`;
      return rows.length === 0;
    });

  /** Create a user with a purchased package. */
  const subscriber = async (
    body: object = {},
  ): Promise<TestUser & { token: string; providerId: string; subscriptionId: string }> => {
    const buyer = await createUser();
    const { accessToken: token } = buyer;
    const { body: page } = await buy(token, body);
    await press(page.url, 'pay');
    await waitUntilIdle();
    const row = await database.client.subscription.findFirstOrThrow({ where: { accountId: buyer.id } });
    return { ...buyer, token, subscriptionId: row.id, providerId: row.providerId };
  };

  /** Keys of a user's notifications. */
  const listNotificationKeys = async (userId: string) => {
    const rows = await database.client.notification.findMany({ where: { userId }, select: { key: true } });
    return rows.map(({ key }) => key).sort();
  };

  return {
    ...test,
    sandbox,
    payments,
    stripe: createStripeSdk(sandbox),
    control,
    path,
    buy,
    press,
    status,
    quiet: waitUntilIdle,
    subscriber,
    listNotificationKeys,
  };
}
