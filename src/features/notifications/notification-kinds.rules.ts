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
  'scan.created': defineKind('DEFAULT', 'OFF', 'ON', false),
  'scan.digest': defineKind('DEFAULT', 'OFF', 'ON', false),
  'code.scanned_while_lost': defineKind('ALERT', 'ON', 'ON', true),
  'scan.located': defineKind('DEFAULT', 'ON', 'ON', true),
  'message.created': defineKind('MESSAGE', 'ON', 'ON', true),
  'code.pin_rejected': defineKind('ALERT', 'ON', 'ON', true),
  'guest_book.signed': defineKind('MESSAGE', 'ON', 'ON', false),
  'caretaker.added': defineKind('DEFAULT', 'ON', 'ON', false),
  'memory_tag.birth_anniversary': defineKind('DEFAULT', 'ON', 'ON', false),
  'memory_tag.death_anniversary': defineKind('DEFAULT', 'ON', 'ON', false),
  'code.expiring': defineKind('DEFAULT', 'ON', 'ON', false),
  'code.expired': defineKind('DEFAULT', 'ON', 'ON', false),
  'document.infected': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'document.expiring': defineKind('DEFAULT', 'ON', 'ON', false),
  'document.expired': defineKind('DEFAULT', 'ON', 'ON', false),
  'document.opened': defineKind('DEFAULT', 'ON', 'ON', false),
  'document.granted': defineKind('DEFAULT', 'ON', 'ON', false),
  'document.passcode_rejected': defineKind('ALERT', 'ON', 'ON', true),
  'subscription.started': defineKind('DEFAULT', 'ON', 'ON', false),
  'subscription.changed': defineKind('DEFAULT', 'ON', 'ON', false),
  'subscription.ending': defineKind('DEFAULT', 'ON', 'ON', false),
  'subscription.ended': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'subscription.paused': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'subscription.resumed': defineKind('DEFAULT', 'ON', 'ON', false),
  'subscription.trial_ending': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'payment.received': defineKind('DEFAULT', 'ON', 'OFF', false),
  'payment.failed': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'payment.action_required': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'payment.refunded': defineKind('DEFAULT', 'ON', 'OFF', false),
  'payment.disputed': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'webhook_endpoint.disabled': defineKind('SYSTEM', 'ALWAYS', 'ON', false),
  'login.created': defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  'password.changed': defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  'second_factor.enabled': defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  'second_factor.disabled': defineKind('SYSTEM', 'ELSEWHERE', 'ON', true),
  'role.changed': defineKind('SYSTEM', 'ALWAYS', 'ON', true),
  'break_glass.opened': defineKind('ALERT', 'ELSEWHERE', 'ALWAYS', true),
  'code.taken_down': defineKind('SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
  'code.reinstated': defineKind('SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
  'code.appeal_rejected': defineKind('SYSTEM', 'ELSEWHERE', 'ALWAYS', false),
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
  type: NotificationKind['type'],
  EMAIL: DeliveryPolicy,
  PUSH: DeliveryPolicy,
  ignoresQuietHours: boolean,
): NotificationKind {
  return { type, EMAIL, PUSH, ignoresQuietHours: ignoresQuietHours };
}
