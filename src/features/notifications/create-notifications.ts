import type {
  AnniversaryEvent,
  BillingChangedEvent,
  BillingEventName,
  DocumentExpiryEvent,
  DomainEventPayloads,
  ModerationEvent,
  ModerationEventName,
  QrCodeExpiryEvent,
} from '../../shared/domain-events.ts';
import { chooseLocalizedName } from '../billing/index.ts';
import { toScanNotification } from '../scans/index.ts';
import type { NewNotification, NotificationContent } from './insert-notification.repository.ts';
import { NOTIFICATION_KIND_BY_EVENT } from './notification-kinds.rules.ts';
import type { PaymentNotificationDetails } from './payment-details.repository.ts';

export function createLoginNotification({ userId }: DomainEventPayloads['login.created']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'login.created', data: {} };
}

export function createSecondFactorNotification(
  { userId }: { userId: string },
  event: 'second_factor.enabled' | 'second_factor.disabled',
): NewNotification {
  return { userId, type: 'SYSTEM', event, data: {} };
}

export function createScanLocatedNotification(event: DomainEventPayloads['scan.located']): NewNotification {
  return {
    accountId: event.accountId,
    key: `location:${event.locationId}`,
    ...toScanNotification(event, 'scan.located'),
  };
}

/** Create the notification of a message, without its content. */
export function createMessageNotification(event: DomainEventPayloads['message.created']): NewNotification {
  const { accountId, qrCodeId, conversationId, messageId, title } = event;
  const data = { qrCodeId, conversationId, messageId, code: title };
  return { accountId, key: `message:${messageId}`, type: 'MESSAGE', event: 'message.created', data };
}

/** Create the notification of whoever is to answer a conversation, once a day for each, whatever others change. */
export function createAssignmentNotification({
  accountId,
  userId,
  qrCodeId,
  conversationId,
  title,
}: DomainEventPayloads['conversation.assigned']): NewNotification {
  const { type } = NOTIFICATION_KIND_BY_EVENT['conversation.assigned'];
  const day = new Date().toISOString().slice(0, 10);
  return {
    accountId,
    memberId: userId,
    key: `assigned:${conversationId}:${day}`,
    type,
    event: 'conversation.assigned',
    data: { qrCodeId, conversationId, code: title },
  };
}

/** Create the notification of a guest book entry, without its content. */
export function createGuestBookEntryNotification(
  event: DomainEventPayloads['guest_book.signed'],
): NewNotification {
  const { accountId, entryId, memoryTagId, qrCodeId, remembered } = event;
  const data = { memoryTagId, qrCodeId, guestBookEntryId: entryId, remembered };
  return { accountId, key: `entry:${entryId}`, type: 'MESSAGE', event: 'guest_book.signed', data };
}

/** Create the notification of a new caretaker, without any text of the owner. */
export function createCaretakerAddedNotification({
  caretakerId,
  memoryTagId,
}: DomainEventPayloads['caretaker.added']): NotificationContent {
  const type = NOTIFICATION_KIND_BY_EVENT['caretaker.added'].type;
  return { key: `caretaker:${caretakerId}`, type, event: 'caretaker.added', data: { memoryTagId } };
}

/** Create the notification of an anniversary, once a year. */
export function createAnniversaryNotification(
  { accountId, memoryTagId, qrCodeId, name, date, year }: AnniversaryEvent,
  event: 'memory_tag.birth_anniversary' | 'memory_tag.death_anniversary',
): NewNotification {
  const data = { memoryTagId, ...(qrCodeId && { qrCodeId }), remembered: name, anniversaryOf: date };
  return { accountId, key: `${event}:${memoryTagId}:${year}`, type: 'DEFAULT', event, data };
}

export function createWebhookEndpointDisabledNotification({
  accountId,
  webhookEndpointId,
}: DomainEventPayloads['webhook_endpoint.disabled']): NewNotification {
  const { type } = NOTIFICATION_KIND_BY_EVENT['webhook_endpoint.disabled'];
  return { accountId, type, event: 'webhook_endpoint.disabled', data: { webhookEndpointId } };
}

export function createPasswordChangedNotification({
  userId,
}: DomainEventPayloads['password.changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'password.changed', data: {} };
}

export function createPinRejectedNotification(
  code: DomainEventPayloads['code.pin_rejected'],
): NewNotification {
  const data = { qrCodeId: code.qrCodeId, code: code.title };
  return { accountId: code.accountId, type: 'ALERT', event: 'code.pin_rejected', data };
}

export function createDocumentOpenedNotification(
  event: DomainEventPayloads['document.opened'],
): NewNotification {
  return createDocumentNotification(event, 'document.opened');
}

export function createPasscodeRejectedNotification(
  event: DomainEventPayloads['document.passcode_rejected'],
): NewNotification {
  return createDocumentNotification(event, 'document.passcode_rejected');
}

/** Create the notification of a granted document, without any text of the owner. */
export function createDocumentGrantedNotification({
  grantId,
}: DomainEventPayloads['document.granted']): NotificationContent {
  const type = NOTIFICATION_KIND_BY_EVENT['document.granted'].type;
  return { key: `given:${grantId}`, type, event: 'document.granted', data: { grantId } };
}

export function createQrCodeExpiryNotification(
  { key, accountId, qrCodeId, title, expiresAt, timeZone }: QrCodeExpiryEvent,
  event: 'code.expiring' | 'code.expired',
): NewNotification {
  const data = { qrCodeId, code: title, expiresAt: expiresAt.toISOString(), timeZone };
  return { accountId, key, type: 'DEFAULT', event, data };
}

export function createRoleChangedNotification({
  userId,
  role,
}: DomainEventPayloads['role.changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'role.changed', data: { role } };
}

export function createBreakGlassNotification({
  accountId,
  resourceType,
  resourceId,
}: DomainEventPayloads['break_glass.opened']): NewNotification {
  const data = { [resourceType === 'QRCODE' ? 'qrCodeId' : 'scanId']: resourceId };
  return { accountId, type: 'ALERT', event: 'break_glass.opened', data };
}

/** Create the notification of a decision about a code, without what the administrator wrote. */
export function createModerationNotification(
  { key, accountId, qrCodeId, title, category }: ModerationEvent,
  event: ModerationEventName,
): NewNotification {
  const data = { qrCodeId, code: title, category };
  return { accountId, key, type: NOTIFICATION_KIND_BY_EVENT[event].type, event, data };
}

/** Create the notification of a payment event. Amounts and times are formatted when it is read. */
export function createPaymentNotification(
  { accountId, key, data }: BillingChangedEvent,
  event: BillingEventName,
  details: PaymentNotificationDetails,
): NewNotification {
  const { names, number, periodStart, periodEnd, timeZone, language } = details;
  const packageName = chooseLocalizedName(names ?? {}, [language], data.packageCode ?? number ?? '–');
  const notificationData = {
    ...data,
    package: packageName,
    timeZone,
    ...(number === null ? {} : { number }),
    ...(periodStart && periodEnd
      ? { periodStart: periodStart.toISOString(), periodEnd: periodEnd.toISOString() }
      : {}),
  };
  return { accountId, key, type: NOTIFICATION_KIND_BY_EVENT[event].type, event, data: notificationData };
}

function createDocumentNotification(
  { accountId, documentId, title }: DomainEventPayloads['document.opened'],
  event: 'document.opened' | 'document.passcode_rejected',
): NewNotification {
  const { type } = NOTIFICATION_KIND_BY_EVENT[event];
  return { accountId, type, event, data: { documentId, document: title } };
}

export function createDocumentInfectedNotification({
  accountId,
  documentId,
  title,
  versionId,
}: DomainEventPayloads['document.infected']): NewNotification {
  const data = { documentId, document: title };
  return {
    accountId,
    key: `infected:${versionId}`,
    type: 'SYSTEM',
    event: 'document.infected',
    data,
  };
}

/** Create the notification of an expiring document. The date is the same in every time zone. */
export function createDocumentExpiryNotification(
  { key, accountId, documentId, title, expiresOn }: DocumentExpiryEvent,
  event: 'document.expiring' | 'document.expired',
): NewNotification {
  const data = { documentId, document: title, expiresAt: expiresOn.toISOString(), timeZone: 'UTC' };
  return { accountId, key, type: 'DEFAULT', event, data };
}
