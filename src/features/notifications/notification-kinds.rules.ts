import type { NotificationEventName } from '../../shared/i18n/notification-text.ts';
import type { NotificationTopic } from '../../shared/notification-topics.ts';
import type { NOTIFICATION_TYPES } from './notifications.schemas.ts';

/** Channels beside the list in the application, which has everything. */
export const NOTIFICATION_CHANNELS = ['EMAIL', 'PUSH'] as const;

export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** ON, OFF: default, changeable by the user. ALWAYS: not changeable. ELSEWHERE: the feature sends its own mail. */
type DeliveryPolicy = 'ON' | 'OFF' | 'ALWAYS' | 'ELSEWHERE';

interface NotificationKind extends Record<NotificationChannel, DeliveryPolicy> {
  /** Who of an account is notified; null for what concerns a user alone. */
  topic: NotificationTopic | null;
  type: (typeof NOTIFICATION_TYPES)[number];
  /** Ignores quiet hours. */
  ignoresQuietHours: boolean;
}

/** A digest is about scans, and uses their channels. */
export const NOTIFICATION_KIND_BY_EVENT: Record<NotificationEventName, NotificationKind> = {
  'scan.created': defineKind('SCANS', 'DEFAULT', 'OFF', 'ON', false),
  'scan.digest': defineKind('SCANS', 'DEFAULT', 'OFF', 'ON', false),
  'code.scanned_while_lost': defineKind('SCANS', 'ALERT', 'ON', 'ON', true),
  'scan.located': defineKind('SCANS', 'DEFAULT', 'ON', 'ON', true),
  'message.created': defineKind('MESSAGES', 'MESSAGE', 'ON', 'ON', true),
  'conversation.assigned': defineKind('MESSAGES', 'MESSAGE', 'ON', 'ON', false),
  'code.pin_rejected': defineKind('SCANS', 'ALERT', 'ON', 'ON', true),
  'guest_book.signed': defineKind('MESSAGES', 'MESSAGE', 'ON', 'ON', false),
  'caretaker.added': defineKind(null, 'DEFAULT', 'ON', 'ON', false),
  'memory_tag.birth_anniversary': defineKind('CODES', 'DEFAULT', 'ON', 'ON', false),
  'memory_tag.death_anniversary': defineKind('CODES', 'DEFAULT', 'ON', 'ON', false),
  'code.expiring': defineKind('CODES', 'DEFAULT', 'ON', 'ON', false),
  'code.expired': defineKind('CODES', 'DEFAULT', 'ON', 'ON', false),
  'document.infected': defineKind('DOCUMENTS', 'SYSTEM', 'ALWAYS', 'ON', false),
  'document.expiring': defineKind('DOCUMENTS', 'DEFAULT', 'ON', 'ON', false),
  'document.expired': defineKind('DOCUMENTS', 'DEFAULT', 'ON', 'ON', false),
  'document.opened': defineKind('DOCUMENTS', 'DEFAULT', 'ON', 'ON', false),
  'document.granted': defineKind(null, 'DEFAULT', 'ON', 'ON', false),
  'document.passcode_rejected': defineKind('DOCUMENTS', 'ALERT', 'ON', 'ON', true),
  'subscription.started': defineKind('BILLING', 'DEFAULT', 'ON', 'ON', false),
  'subscription.changed': defineKind('BILLING', 'DEFAULT', 'ON', 'ON', false),
  'subscription.ending': defineKind('BILLING', 'DEFAULT', 'ON', 'ON', false),
  'subscription.ended': defineKind('BILLING', 'SYSTEM', 'ALWAYS', 'ON', false),
  'subscription.paused': defineKind('BILLING', 'SYSTEM', 'ALWAYS', 'ON', false),
  'subscription.resumed': defineKind('BILLING', 'DEFAULT', 'ON', 'ON', false),
  'subscription.trial_ending': defineKind('BILLING', 'SYSTEM', 'ALWAYS', 'ON', false),
  'payment.received': defineKind('BILLING', 'DEFAULT', 'ON', 'OFF', false),
  'payment.failed': defineKind('BILLING', 'SYSTEM', 'ALWAYS', 'ON', false),
  'payment.action_required': defineKind('BILLING', 'SYSTEM', 'ALWAYS', 'ON', false),
  'payment.refunded': defineKind('BILLING', 'DEFAULT', 'ON', 'OFF', false),
  'payment.disputed': defineKind('BILLING', 'SYSTEM', 'ALWAYS', 'ON', false),
  'webhook_endpoint.disabled': defineKind('DEVELOPERS', 'SYSTEM', 'ALWAYS', 'ON', false),
  'login.created': defineKind(null, 'SYSTEM', 'ELSEWHERE', 'ON', true),
  'password.changed': defineKind(null, 'SYSTEM', 'ELSEWHERE', 'ON', true),
  'second_factor.enabled': defineKind(null, 'SYSTEM', 'ELSEWHERE', 'ON', true),
  'second_factor.disabled': defineKind(null, 'SYSTEM', 'ELSEWHERE', 'ON', true),
  'role.changed': defineKind(null, 'SYSTEM', 'ALWAYS', 'ON', true),
  'break_glass.opened': defineKind('CODES', 'ALERT', 'ELSEWHERE', 'ALWAYS', true),
  'code.taken_down': defineKind('CODES', 'SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
  'code.reinstated': defineKind('CODES', 'SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
  'code.appeal_rejected': defineKind('CODES', 'SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
};

export type ConfigurableEvent = Exclude<NotificationEventName, 'scan.digest'>;

export function isConfigurableEvent(name: string): name is ConfigurableEvent {
  return Object.hasOwn(NOTIFICATION_KIND_BY_EVENT, name) && name !== 'scan.digest';
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
  topic: NotificationKind['topic'],
  type: NotificationKind['type'],
  EMAIL: DeliveryPolicy,
  PUSH: DeliveryPolicy,
  ignoresQuietHours: boolean,
): NotificationKind {
  return { topic, type, EMAIL, PUSH, ignoresQuietHours };
}
