import type { BillingEventName } from '../../../shared/domain-events.ts';
import { HOUR_MS } from '../../../shared/durations.ts';
import { isStateWithPackage } from '../../../shared/subscription-state.ts';

export interface SubscriptionFields {
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

export interface RemoteSubscription extends Omit<SubscriptionFields, 'packageId' | 'packageVersion'> {
  id: string;
}

export interface PurchasedPackageVersion {
  packageId: string;
  version: number;
}

export interface PaymentNotificationDraft {
  key: string;
  event: BillingEventName;
  at: Date | null;
}

export interface PaymentStateTransition<Facts> {
  facts: Facts | null;
  isChanged: boolean;
  notifications: PaymentNotificationDraft[];
}

/** Three days, and one hour for the event's delivery. */
export const TRIAL_END_NOTICE_MS = 73 * HOUR_MS;

/**
 * A canceled subscription is final; otherwise the latest state wins. An unknown package keeps that of the
 * row.
 * @param version of the stored row; counts its changes
 */
export function applyRemoteSubscription(
  current: SubscriptionFields | null,
  remote: RemoteSubscription,
  sold: PurchasedPackageVersion | null,
  { now, version }: { now: Date; version: number },
): PaymentStateTransition<SubscriptionFields> {
  if (current?.state === 'CANCELED') return { facts: current, isChanged: false, notifications: [] };
  const packageId = sold?.packageId ?? current?.packageId;
  const packageVersion = sold?.version ?? current?.packageVersion;
  if (packageId === undefined || packageVersion === undefined)
    return { facts: null, isChanged: false, notifications: [] };
  const { interval, currency, state, cancelAtPeriodEnd, startedAt } = remote;
  const { currentPeriodStart, currentPeriodEnd, trialEndsAt, canceledAt, endedAt } = remote;
  const facts = {
    packageId,
    packageVersion,
    interval,
    currency,
    state,
    cancelAtPeriodEnd,
    startedAt,
    currentPeriodStart,
    currentPeriodEnd,
    trialEndsAt,
    canceledAt,
    endedAt,
  };
  const isChanged = current === null || listChangedFields(current, facts).length > 0;
  return {
    facts,
    isChanged,
    notifications: createNotificationDrafts(current, facts, { id: remote.id, now, next: version + 1 }),
  };
}

export function listChangedFields<Facts extends object>(one: Facts, other: Facts): (keyof Facts & string)[] {
  const names = Object.keys(other) as (keyof Facts & string)[];
  return names.filter((name) => toComparable(one[name]) !== toComparable(other[name]));
}

function toComparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function createNotificationDrafts(
  before: SubscriptionFields | null,
  after: SubscriptionFields,
  { id, now, next }: { id: string; now: Date; next: number },
): PaymentNotificationDraft[] {
  const isActiveBefore = before !== null && isStateWithPackage(before.state);
  const isLive = isStateWithPackage(after.state);
  const hasBegun = before !== null && before.state !== 'INCOMPLETE';
  const about = (
    event: PaymentNotificationDraft['event'],
    what: string,
    at: Date | null,
  ): PaymentNotificationDraft => ({
    key: `subscription:${id}:${what}`,
    event,
    at,
  });
  if (after.state === 'CANCELED')
    return hasBegun ? [about('subscription.ended', 'ended', after.endedAt)] : [];
  if (!isLive) return isActiveBefore ? [about('subscription.paused', `paused:${next}`, null)] : [];
  const notifications: PaymentNotificationDraft[] = [];
  if (!hasBegun) notifications.push(about('subscription.started', 'started', after.currentPeriodEnd));
  else if (!isActiveBefore)
    notifications.push(about('subscription.resumed', `resumed:${next}`, after.currentPeriodEnd));
  if (before !== null && hasBegun && isOtherPackage(before, after))
    notifications.push(about('subscription.changed', `changed:${next}`, after.currentPeriodEnd));
  const end = after.currentPeriodEnd;
  if (after.cancelAtPeriodEnd && end && !(isActiveBefore && before.cancelAtPeriodEnd))
    notifications.push(about('subscription.ending', `ending:${toEpochSeconds(end)}`, end));
  const trial = after.state === 'TRIALING' && !after.cancelAtPeriodEnd ? after.trialEndsAt : null;
  if (trial && trial > now && trial.getTime() - now.getTime() <= TRIAL_END_NOTICE_MS)
    notifications.push(about('subscription.trial_ending', `trial:${toEpochSeconds(trial)}`, trial));
  return notifications;
}

function isOtherPackage(one: SubscriptionFields, other: SubscriptionFields): boolean {
  return (
    one.packageId !== other.packageId ||
    one.packageVersion !== other.packageVersion ||
    one.interval !== other.interval
  );
}

function toEpochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
