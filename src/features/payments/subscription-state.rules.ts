import type { PaymentNews } from './payment-news.ts';

/** What of a subscription is kept, but for whose it is. */
export interface SubscriptionFacts {
  packageId: string;
  packageVersion: number;
  interval: string;
  currency: string;
  state: string;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  trialEndsAt: Date | null;
  canceledAt: Date | null;
  endedAt: Date | null;
  startedAt: Date;
}

/** What a provider says of a subscription. */
export interface SeenSubscription extends Omit<SubscriptionFacts, 'packageId' | 'packageVersion'> {
  id: string;
}

/** What is sold at the price of a subscription. */
export interface SoldPackage {
  packageId: string;
  version: number;
}

/** News without whom they are for, and what they are about. */
export type News = Pick<PaymentNews, 'key' | 'event'> & { at: Date | null };

/** What becomes of a row; null where there is none to write. */
export interface Applied<Facts> {
  facts: Facts | null;
  isChanged: boolean;
  news: News[];
}

/** States that give the package. */
const LIVE = new Set(['TRIALING', 'ACTIVE', 'PAST_DUE']);

/** Milliseconds before the end of a trial from which its person is told: three days, and the hour that an event may take. */
export const TRIAL_NOTICE = 73 * 60 * 60 * 1000;

/**
 * What becomes of the row of a subscription when its provider says this of it. What has ended stays as it is, whatever
 * comes later; otherwise what is said last is right. A package that is not known leaves the one of the row, and
 * without a row makes none.
 * @param version of the row as it is stored; counts its changes
 */
export function applySubscription(
  current: SubscriptionFacts | null,
  seen: SeenSubscription,
  sold: SoldPackage | null,
  { now, version }: { now: Date; version: number },
): Applied<SubscriptionFacts> {
  if (current?.state === 'CANCELED') return { facts: current, isChanged: false, news: [] };
  const packageId = sold?.packageId ?? current?.packageId;
  const packageVersion = sold?.version ?? current?.packageVersion;
  if (packageId === undefined || packageVersion === undefined)
    return { facts: null, isChanged: false, news: [] };
  const { interval, currency, state, cancelAtPeriodEnd, startedAt } = seen;
  const { currentPeriodStart, currentPeriodEnd, trialEndsAt, canceledAt, endedAt } = seen;
  const facts = {
    ...{ packageId, packageVersion, interval, currency, state, cancelAtPeriodEnd, startedAt },
    ...{ currentPeriodStart, currentPeriodEnd, trialEndsAt, canceledAt, endedAt },
  };
  const isChanged = current === null || changedFields(current, facts).length > 0;
  return { facts, isChanged, news: newsOf(current, facts, { id: seen.id, now, next: version + 1 }) };
}

/** Names of what differs between two records of the same shape. */
export function changedFields<Facts extends object>(one: Facts, other: Facts): (keyof Facts & string)[] {
  const names = Object.keys(other) as (keyof Facts & string)[];
  return names.filter((name) => comparable(one[name]) !== comparable(other[name]));
}

function comparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function newsOf(
  before: SubscriptionFacts | null,
  after: SubscriptionFacts,
  { id, now, next }: { id: string; now: Date; next: number },
): News[] {
  const wasLive = before !== null && LIVE.has(before.state);
  const isLive = LIVE.has(after.state);
  const hasBegun = before !== null && before.state !== 'INCOMPLETE';
  const about = (event: News['event'], what: string, at: Date | null): News => ({
    ...{ key: `subscription:${id}:${what}`, event, at },
  });
  if (after.state === 'CANCELED')
    return hasBegun ? [about('SUBSCRIPTION_ENDED', 'ended', after.endedAt)] : [];
  if (!isLive) return wasLive ? [about('SUBSCRIPTION_PAUSED', `paused:${next}`, null)] : [];
  const news: News[] = [];
  if (!hasBegun) news.push(about('SUBSCRIPTION_STARTED', 'started', after.currentPeriodEnd));
  else if (!wasLive) news.push(about('SUBSCRIPTION_RESUMED', `resumed:${next}`, after.currentPeriodEnd));
  if (before !== null && hasBegun && isOtherPackage(before, after))
    news.push(about('SUBSCRIPTION_CHANGED', `changed:${next}`, after.currentPeriodEnd));
  const end = after.currentPeriodEnd;
  if (after.cancelAtPeriodEnd && end && !(wasLive && before.cancelAtPeriodEnd))
    news.push(about('SUBSCRIPTION_ENDING', `ending:${seconds(end)}`, end));
  const trial = after.state === 'TRIALING' && !after.cancelAtPeriodEnd ? after.trialEndsAt : null;
  if (trial && trial > now && trial.getTime() - now.getTime() <= TRIAL_NOTICE)
    news.push(about('TRIAL_ENDING', `trial:${seconds(trial)}`, trial));
  return news;
}

function isOtherPackage(one: SubscriptionFacts, other: SubscriptionFacts): boolean {
  return (
    one.packageId !== other.packageId ||
    one.packageVersion !== other.packageVersion ||
    one.interval !== other.interval
  );
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
