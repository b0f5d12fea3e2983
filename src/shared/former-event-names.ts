import type { EventName } from './event-types.ts';

/** Names before there was one catalogue. Unsubscribe links in mails that were sent have them for ever. */
export const FORMER_EVENT_NAMES: Readonly<Record<string, EventName>> = {
  QR_CODE_SCANNED: 'scan.created',
  SCANS_DIGEST: 'scan.digest',
  LOST_CODE_SCANNED: 'code.scanned_while_lost',
  SCAN_LOCATED: 'scan.located',
  MESSAGE_RECEIVED: 'message.created',
  PIN_REJECTED: 'code.pin_rejected',
  GUEST_BOOK_SIGNED: 'guest_book.signed',
  CARETAKER_ADDED: 'caretaker.added',
  BIRTH_ANNIVERSARY: 'memory_tag.birth_anniversary',
  DEATH_ANNIVERSARY: 'memory_tag.death_anniversary',
  CODE_EXPIRING: 'code.expiring',
  CODE_EXPIRED: 'code.expired',
  DOCUMENT_INFECTED: 'document.infected',
  DOCUMENT_EXPIRING: 'document.expiring',
  DOCUMENT_EXPIRED: 'document.expired',
  DOCUMENT_OPENED: 'document.opened',
  DOCUMENT_GRANTED: 'document.granted',
  PASSCODE_REJECTED: 'document.passcode_rejected',
  SUBSCRIPTION_STARTED: 'subscription.started',
  SUBSCRIPTION_CHANGED: 'subscription.changed',
  SUBSCRIPTION_ENDING: 'subscription.ending',
  SUBSCRIPTION_ENDED: 'subscription.ended',
  SUBSCRIPTION_PAUSED: 'subscription.paused',
  SUBSCRIPTION_RESUMED: 'subscription.resumed',
  TRIAL_ENDING: 'subscription.trial_ending',
  PAYMENT_RECEIVED: 'payment.received',
  PAYMENT_FAILED: 'payment.failed',
  PAYMENT_ACTION_NEEDED: 'payment.action_required',
  PAYMENT_REFUNDED: 'payment.refunded',
  PAYMENT_DISPUTED: 'payment.disputed',
  WEBHOOK_ENDPOINT_DISABLED: 'webhook_endpoint.disabled',
  NEW_LOGIN: 'login.created',
  PASSWORD_CHANGED: 'password.changed',
  SECOND_FACTOR_ON: 'second_factor.enabled',
  SECOND_FACTOR_OFF: 'second_factor.disabled',
  ROLE_CHANGED: 'role.changed',
  BREAK_GLASS_OPENED: 'break_glass.opened',
  CODE_TAKEN_DOWN: 'code.taken_down',
  CODE_REINSTATED: 'code.reinstated',
  APPEAL_REJECTED: 'code.appeal_rejected',
  REPLY_RECEIVED: 'message.replied',
  SCAN_REPORT: 'scan_report.sent',
};

/** Return today's name of an event; other texts stay. */
export function toCurrentEventName(name: string): string {
  return Object.hasOwn(FORMER_EVENT_NAMES, name) ? (FORMER_EVENT_NAMES[name] ?? name) : name;
}
