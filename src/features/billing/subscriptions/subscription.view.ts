import type { Static } from 'typebox';
import type { ProviderSubscription } from '../../../providers/payments/payments.port.ts';
import { chooseLocalizedName } from './localized-name.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import type { Subscription } from './subscriptions.schemas.ts';

export function toSubscriptionView(
  row: SubscriptionRow,
  languages: readonly string[],
): Static<typeof Subscription> {
  const { id, packageId, code, names, interval, currency, price, state, cancelAtPeriodEnd } = row;
  return {
    id,
    package: { id: packageId, code, name: chooseLocalizedName(names, languages, code) },
    status: state,
    interval,
    currency,
    price,
    cancelAtPeriodEnd,
    currentPeriodEnd: toIsoString(row.currentPeriodEnd),
    trialEndsAt: toIsoString(row.trialEndsAt),
    startedAt: row.startedAt.toISOString(),
    endedAt: toIsoString(row.endedAt),
  };
}

/** The sync writes the state shortly after. */
export function applyProviderSubscriptionState(
  row: SubscriptionRow,
  remote: ProviderSubscription,
): SubscriptionRow {
  const { state, currentPeriodEnd, cancelAtPeriodEnd, trialEndsAt, endedAt } = remote;
  return { ...row, state, currentPeriodEnd, cancelAtPeriodEnd, trialEndsAt, endedAt };
}

function toIsoString(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
