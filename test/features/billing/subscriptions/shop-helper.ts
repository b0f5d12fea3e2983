import type { Test } from 'tap';
import { startTestApp } from '../../../helper.ts';
import { createFakeProvider } from '../payments/fake-provider.ts';

export const FREE_PACKAGE_ID = '673f0000a1b2c3d4e5f60001';
export const PERSONAL_PACKAGE_ID = '673f0000a1b2c3d4e5f60002';
export const FAMILY_PACKAGE_ID = '673f0000a1b2c3d4e5f60003';

/** An application that sells by a provider in memory. */
export async function startShop(t: Test) {
  const fake = createFakeProvider();
  const test = await startTestApp(t, {}, { payments: fake.provider });
  const { call, createUser, database } = test;

  const buy = (token: string, body: object = {}, headers = {}) =>
    call('POST', '/api/subscription/checkout-session', {
      ...{ token, headers },
      body: { packageId: PERSONAL_PACKAGE_ID, interval: 'month', ...body },
    });

  /** The provider's id of a page. */
  const pageOf = async (id: string) => {
    const row = await database.client.checkoutSession.findUniqueOrThrow({ where: { id } });
    return row.sessionId ?? '';
  };

  /** Somebody who has bought a package: the ids of their subscription here and at the provider. */
  const subscriber = async (body: object = {}) => {
    const buyer = await createUser();
    const { accessToken: token } = buyer;
    const { body: page } = await buy(token, body);
    const { id: providerId } = fake.pay(await pageOf(page.id));
    // The next press of the button finds what was paid.
    await buy(token);
    const { body: status } = await call('GET', '/api/subscription/status', { token });
    return { ...buyer, token, subscriptionId: String(status.id), providerId };
  };

  return { ...test, fake, buy, pageOf, subscriber };
}
