import type { PaymentProvider, ProviderSubscription } from '../../src/providers/payments/payments.port.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { SandboxClient } from './sandbox-client.ts';
import type { ShopPrices } from './shop.ts';

export async function performRandomActions(
  { provider, control, ask }: { provider: PaymentProvider } & SandboxClient,
  now: ProviderSubscription,
  prices: ShopPrices,
): Promise<void> {
  const { id } = now;
  const card = (behavior: string) => control('card', { customer: now.customerId, card: behavior });
  const actions = [
    () => provider.cancelSubscription(id, 'PERIOD_END'),
    () => provider.cancelSubscription(id, 'PERIOD_END').then(() => provider.undoCancellation(id)),
    () => (Math.random() < 0.3 ? provider.cancelSubscription(id, 'NOW') : null),
    () =>
      provider.changeSubscription(
        id,
        now.priceId === prices.small ? prices.large : prices.small,
        now.currentPeriodStart ?? now.startedAt,
        generateId(),
      ),
    () => card('declines'),
    () => card('confirms'),
    () => card('pays'),
    () => ask('POST', `subscriptions/${id}/pause`),
    () => ask('POST', `subscriptions/${id}/resume`),
    async () => {
      const { data } = await ask('GET', 'charges', { customer: now.customerId, limit: '1' });
      if (data[0]?.paid) await ask('POST', 'refunds', { charge: data[0].id, amount: '100' });
    },
    async () => {
      const { data } = await ask('GET', 'charges', { customer: now.customerId, limit: '1' });
      if (data[0]?.paid) await control('dispute', { charge: data[0].id });
    },
  ];
  for (let count = 0; count < 2; count++) {
    const action = actions[Math.floor(Math.random() * actions.length)];
    // The shop may refuse an action in the current state; that is part of the scenario.
    await Promise.resolve(action?.()).catch(() => {});
  }
}
