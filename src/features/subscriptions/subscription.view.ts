import type { Static } from 'typebox';
import { nameIn } from './accepted-language.rules.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import type { Subscription } from './subscriptions.schemas.ts';

/** A subscription as its person sees it, its package named in the first of the languages that there is a name in. */
export function subscriptionView(
  row: SubscriptionRow,
  languages: readonly string[],
): Static<typeof Subscription> {
  const { id, packageId, code, names, interval, currency, price, state, cancelAtPeriodEnd } = row;
  return {
    id,
    package: { id: packageId, code, name: nameIn(names, languages, code) },
    ...{ state, interval, currency, price, cancelAtPeriodEnd },
    currentPeriodEnd: isoOf(row.currentPeriodEnd),
    trialEndsAt: isoOf(row.trialEndsAt),
    startedAt: row.startedAt.toISOString(),
    endedAt: isoOf(row.endedAt),
  };
}

function isoOf(at: Date | null): string | null {
  return at && at.toISOString();
}
