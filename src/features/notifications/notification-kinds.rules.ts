import type { NotificationEvent } from './notification-text.ts';
import type { NOTIFICATION_TYPES } from './notifications.schemas.ts';

/** By what a person hears of something beside the list in the application, where it always is. */
export const CHANNELS = ['EMAIL', 'PUSH'] as const;

export type Channel = (typeof CHANNELS)[number];

/**
 * Whether something is sent by a channel: unless (ON) or only where (OFF) the person says so, whatever they say (ALWAYS), or
 * by a mail of its own that its cause posts (ELSEWHERE).
 */
type Sending = 'ON' | 'OFF' | 'ALWAYS' | 'ELSEWHERE';

interface NotificationKind extends Record<Channel, Sending> {
  type: (typeof NOTIFICATION_TYPES)[number];
  /** Passes quiet hours. */
  isUrgent: boolean;
}

/** Everything that people are told of. A digest is of scans, and goes where they do. */
export const NOTIFICATION_KINDS: Record<NotificationEvent, NotificationKind> = {
  QR_CODE_SCANNED: kind('DEFAULT', 'OFF', 'ON', false),
  SCANS_DIGEST: kind('DEFAULT', 'OFF', 'ON', false),
  LOST_CODE_SCANNED: kind('ALERT', 'ON', 'ON', true),
  SCAN_LOCATED: kind('DEFAULT', 'ON', 'ON', true),
  MESSAGE_RECEIVED: kind('MESSAGE', 'ON', 'ON', true),
  PIN_REJECTED: kind('ALERT', 'ON', 'ON', true),
  GUEST_BOOK_SIGNED: kind('MESSAGE', 'ON', 'ON', false),
  CARETAKER_NAMED: kind('DEFAULT', 'ON', 'ON', false),
  BIRTH_ANNIVERSARY: kind('DEFAULT', 'ON', 'ON', false),
  DEATH_ANNIVERSARY: kind('DEFAULT', 'ON', 'ON', false),
  CODE_EXPIRING: kind('DEFAULT', 'ON', 'ON', false),
  CODE_EXPIRED: kind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_INFECTED: kind('SYSTEM', 'ALWAYS', 'ON', false),
  DOCUMENT_EXPIRING: kind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_EXPIRED: kind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_OPENED: kind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_GIVEN: kind('DEFAULT', 'ON', 'ON', false),
  PASSCODE_REJECTED: kind('ALERT', 'ON', 'ON', true),
  SUBSCRIPTION_STARTED: kind('DEFAULT', 'ON', 'ON', false),
  SUBSCRIPTION_CHANGED: kind('DEFAULT', 'ON', 'ON', false),
  SUBSCRIPTION_ENDING: kind('DEFAULT', 'ON', 'ON', false),
  SUBSCRIPTION_ENDED: kind('SYSTEM', 'ALWAYS', 'ON', false),
  SUBSCRIPTION_PAUSED: kind('SYSTEM', 'ALWAYS', 'ON', false),
  SUBSCRIPTION_RESUMED: kind('DEFAULT', 'ON', 'ON', false),
  TRIAL_ENDING: kind('SYSTEM', 'ALWAYS', 'ON', false),
  PAYMENT_RECEIVED: kind('DEFAULT', 'ON', 'OFF', false),
  PAYMENT_FAILED: kind('SYSTEM', 'ALWAYS', 'ON', false),
  PAYMENT_ACTION_NEEDED: kind('SYSTEM', 'ALWAYS', 'ON', false),
  PAYMENT_REFUNDED: kind('DEFAULT', 'ON', 'OFF', false),
  PAYMENT_DISPUTED: kind('SYSTEM', 'ALWAYS', 'ON', false),
  NEW_LOGIN: kind('SYSTEM', 'ELSEWHERE', 'ON', true),
  PASSWORD_CHANGED: kind('SYSTEM', 'ELSEWHERE', 'ON', true),
  SECOND_FACTOR_ON: kind('SYSTEM', 'ELSEWHERE', 'ON', true),
  SECOND_FACTOR_OFF: kind('SYSTEM', 'ELSEWHERE', 'ON', true),
  ROLE_CHANGED: kind('SYSTEM', 'ALWAYS', 'ON', true),
  GLASS_BROKEN: kind('ALERT', 'ELSEWHERE', 'ALWAYS', true),
};

/** An event that a person can wish something of. */
export type ToldEvent = Exclude<NotificationEvent, 'SCANS_DIGEST'>;

/** Whether a name is that of such an event. */
export function isToldEvent(name: string): name is ToldEvent {
  return Object.hasOwn(NOTIFICATION_KINDS, name) && name !== 'SCANS_DIGEST';
}

export const TOLD_EVENTS: readonly ToldEvent[] = Object.keys(NOTIFICATION_KINDS).filter(isToldEvent);

/** Whether an event is sent by a channel where the person says nothing. */
export function isSentAsItComes(event: ToldEvent, channel: Channel): boolean {
  return NOTIFICATION_KINDS[event][channel] !== 'OFF';
}

/** Whether a person decides about it: not of what guards their account. */
export function canBeSwitched(event: ToldEvent, channel: Channel): boolean {
  return ['ON', 'OFF'].includes(NOTIFICATION_KINDS[event][channel]);
}

/** Whether the cause of an event posts its mail by itself. */
export function isMailedElsewhere(event: ToldEvent): boolean {
  return NOTIFICATION_KINDS[event].EMAIL === 'ELSEWHERE';
}

function kind(
  type: NotificationKind['type'],
  EMAIL: Sending,
  PUSH: Sending,
  isUrgent: boolean,
): NotificationKind {
  return { type, EMAIL, PUSH, isUrgent };
}
