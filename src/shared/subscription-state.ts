/** CANCELED is final. */
export const SUBSCRIPTION_STATES = [
  'INCOMPLETE',
  'TRIALING',
  'ACTIVE',
  'PAST_DUE',
  'UNPAID',
  'PAUSED',
  'CANCELED',
] as const;

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** States in which the user has the package. The view reporting.subscriptions lists them as well. */
export const STATES_WITH_PACKAGE = [
  'TRIALING',
  'ACTIVE',
  'PAST_DUE',
] as const satisfies readonly SubscriptionState[];

export function isStateWithPackage(state: string): boolean {
  return STATES_WITH_PACKAGE.some((one) => one === state);
}
