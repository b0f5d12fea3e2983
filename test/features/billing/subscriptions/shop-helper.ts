import type { Test } from 'tap';
import { startTestApp } from '../../../helper.ts';
import { createFakeProvider } from '../payments/fake-provider.ts';

export const FREE_PACKAGE_ID = '673f0000a1b2c3d4e5f60001';
export const PERSONAL_PACKAGE_ID = '673f0000a1b2c3d4e5f60002';
export const FAMILY_PACKAGE_ID = '673f0000a1b2c3d4e5f60003';

/** Start an application that sells through an in-memory provider. */
export async function startShop(t: Test) {
  const fake = createFakeProvider();
  const test = await startTestApp(t, {}, { payments: fake.provider });
  const { call, createUser, database } = test;

  const buy = (token: string, body: object = {}, headers = {}) =>
    call('POST', '/api/subscription/checkout-session', {
      token,
      headers,
      body: { packageId: PERSONAL_PACKAGE_ID, interval: 'month', ...body },
    });

  /** Find the provider's id of a checkout. */
  const findProviderPageId = async (id: string) => {
    const row = await database.client.checkoutSession.findUniqueOrThrow({ where: { id } });
    return row.sessionId ?? '';
  };

  /** Create a user with a purchased package; returns our id and the provider's id of the subscription. */
  const subscriber = async (body: object = {}) => {
    const buyer = await createUser();
    const { accessToken: token } = buyer;
    const { body: page } = await buy(token, body);
    const { id: providerId } = fake.pay(await findProviderPageId(page.id));
    // The next request finds the payment.
    await buy(token);
    const { body: status } = await call('GET', '/api/subscription/status', { token });
    return { ...buyer, token, subscriptionId: String(status.id), providerId };
  };

  return { ...test, fake, buy, pageOf: findProviderPageId, subscriber };
}
