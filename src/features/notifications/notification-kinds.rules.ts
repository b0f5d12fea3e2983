import type { NotificationEventName } from '../../shared/i18n/notification-text.ts';
import type { NOTIFICATION_TYPES } from './notifications.schemas.ts';

/** Channels beside the list in the application, which has everything. */
export const NOTIFICATION_CHANNELS = ['EMAIL', 'PUSH'] as const;

export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** ON, OFF: default, changeable by the user. ALWAYS: not changeable. ELSEWHERE: the feature sends its own mail. */
type DeliveryPolicy = 'ON' | 'OFF' | 'ALWAYS' | 'ELSEWHERE';

interface NotificationKind extends Record<NotificationChannel, DeliveryPolicy> {
  type: (typeof NOTIFICATION_TYPES)[number];
  /** Ignores quiet hours. */
  ignoresQuietHours: boolean;
}

/** A digest is about scans, and uses their channels. */
export const NOTIFICATION_KIND_BY_EVENT: Record<NotificationEventName, NotificationKind> = {
  QR_CODE_SCANNED: defineKind('DEFAULT', 'OFF', 'ON', false),
  SCANS_DIGEST: defineKind('DEFAULT', 'OFF', 'ON', false),
  LOST_CODE_SCANNED: defineKind('ALERT', 'ON', 'ON', true),
  SCAN_LOCATED: defineKind('DEFAULT', 'ON', 'ON', true),
  MESSAGE_RECEIVED: defineKind('MESSAGE', 'ON', 'ON', true),
  PIN_REJECTED: defineKind('ALERT', 'ON', 'ON', true),
  GUEST_BOOK_SIGNED: defineKind('MESSAGE', 'ON', 'ON', false),
  CARETAKER_ADDED: defineKind('DEFAULT', 'ON', 'ON', false),
  BIRTH_ANNIVERSARY: defineKind('DEFAULT', 'ON', 'ON', false),
  DEATH_ANNIVERSARY: defineKind('DEFAULT', 'ON', 'ON', false),
  CODE_EXPIRING: defineKind('DEFAULT', 'ON', 'ON', false),
  CODE_EXPIRED: defineKind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_INFECTED: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  DOCUMENT_EXPIRING: defineKind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_EXPIRED: defineKind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_OPENED: defineKind('DEFAULT', 'ON', 'ON', false),
  DOCUMENT_GRANTED: defineKind('DEFAULT', 'ON', 'ON', false),
  PASSCODE_REJECTED: defineKind('ALERT', 'ON', 'ON', true),
  SUBSCRIPTION_STARTED: defineKind('DEFAULT', 'ON', 'ON', false),
  SUBSCRIPTION_CHANGED: defineKind('DEFAULT', 'ON', 'ON', false),
  SUBSCRIPTION_ENDING: defineKind('DEFAULT', 'ON', 'ON', false),
  SUBSCRIPTION_ENDED: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  SUBSCRIPTION_PAUSED: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  SUBSCRIPTION_RESUMED: defineKind('DEFAULT', 'ON', 'ON', false),
  TRIAL_ENDING: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  PAYMENT_RECEIVED: defineKind('DEFAULT', 'ON', 'OFF', false),
  PAYMENT_FAILED: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  PAYMENT_ACTION_NEEDED: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  PAYMENT_REFUNDED: defineKind('DEFAULT', 'ON', 'OFF', false),
  PAYMENT_DISPUTED: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  WEBHOOK_ENDPOINT_DISABLED: defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  NEW_LOGIN: defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  PASSWORD_CHANGED: defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  SECOND_FACTOR_ON: defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  SECOND_FACTOR_OFF: defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  ROLE_CHANGED: defineKind('SYSTEM', 'ALWAYS', 'ON', true),
  BREAK_GLASS_OPENED: defineKind('ALERT', 'ELSEWHERE', 'ALWAYS', true),
  CODE_TAKEN_DOWN: defineKind('SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
  CODE_REINSTATED: defineKind('SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
  APPEAL_REJECTED: defineKind('SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
};

export type ConfigurableEvent = Exclude<NotificationEventName, 'SCANS_DIGEST'>;

export function isConfigurableEvent(name: string): name is ConfigurableEvent {
  return Object.hasOwn(NOTIFICATION_KIND_BY_EVENT, name) && name !== 'SCANS_DIGEST';
}

export const CONFIGURABLE_EVENTS: readonly ConfigurableEvent[] =
  Object.keys(NOTIFICATION_KIND_BY_EVENT).filter(isConfigurableEvent);

export function isChannelEnabledByDefault(event: ConfigurableEvent, channel: NotificationChannel): boolean {
  return NOTIFICATION_KIND_BY_EVENT[event][channel] !== 'OFF';
}

/** Check whether users can change a channel of an event. Security notifications are fixed. */
export function isChannelConfigurable(event: ConfigurableEvent, channel: NotificationChannel): boolean {
  return ['ON', 'OFF'].includes(NOTIFICATION_KIND_BY_EVENT[event][channel]);
}

export function hasDedicatedMail(event: ConfigurableEvent): boolean {
  return NOTIFICATION_KIND_BY_EVENT[event].EMAIL === 'ELSEWHERE';
}

function defineKind(
  type: NotificationKind['type'],
  EMAIL: DeliveryPolicy,
  PUSH: DeliveryPolicy,
  ignoresQuietHours: boolean,
): NotificationKind {
  return { type, EMAIL, PUSH, ignoresQuietHours: ignoresQuietHours };
}
