import type { DomainEventPayloads } from '../../shared/domain-events.ts';
import { chooseLocalizedName } from '../billing/index.ts';
import { toScanNotification } from '../scans/index.ts';
import type { NewNotification } from './insert-notification.repository.ts';
import { NOTIFICATION_KIND_BY_EVENT } from './notification-kinds.rules.ts';
import type { PaymentNotificationDetails } from './payment-details.repository.ts';

export function createLoginNotification({ userId }: DomainEventPayloads['user.logged-in']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'NEW_LOGIN', data: {} };
}

export function createSecondFactorChangedNotification({
  userId,
  isEnabled,
}: DomainEventPayloads['user.second-factor-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: isEnabled ? 'SECOND_FACTOR_ON' : 'SECOND_FACTOR_OFF', data: {} };
}

export function createScanLocatedNotification(event: DomainEventPayloads['scan.located']): NewNotification {
  return {
    userId: event.accountId,
    key: `location:${event.locationId}`,
    ...toScanNotification(event, 'SCAN_LOCATED'),
  };
}

/** Create the notification of a message, without its content. */
export function createMessageReceivedNotification(
  event: DomainEventPayloads['message.received'],
): NewNotification {
  const { accountId, qrCodeId, conversationId, messageId, title } = event;
  const data = { qrCodeId, conversationId, messageId, code: title };
  return { userId: accountId, key: `message:${messageId}`, type: 'MESSAGE', event: 'MESSAGE_RECEIVED', data };
}

/** Create the notification of a guest book entry, without its content. */
export function createGuestBookEntryNotification(
  event: DomainEventPayloads['guest-book.signed'],
): NewNotification {
  const { accountId, entryId, memoryTagId, qrCodeId, remembered } = event;
  const data = { memoryTagId, qrCodeId, guestBookEntryId: entryId, remembered };
  return { userId: accountId, key: `entry:${entryId}`, type: 'MESSAGE', event: 'GUEST_BOOK_SIGNED', data };
}

/** Create the notification of a new caretaker, without any text of the owner. */
export function createCaretakerAddedNotification({
  caretakerId,
  memoryTagId,
}: DomainEventPayloads['caretaker.named']): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KIND_BY_EVENT.CARETAKER_ADDED.type;
  return { key: `caretaker:${caretakerId}`, type, event: 'CARETAKER_ADDED', data: { memoryTagId } };
}

/** Create the notification of an anniversary, once a year. */
export function createAnniversaryNotification({
  event,
  userId,
  memoryTagId,
  qrCodeId,
  name,
  date,
  year,
}: DomainEventPayloads['memory-tag.anniversary']): NewNotification {
  const data = { memoryTagId, ...(qrCodeId && { qrCodeId }), remembered: name, anniversaryOf: date };
  return { userId, key: `${event}:${memoryTagId}:${year}`, type: 'DEFAULT', event, data };
}

export function createWebhookEndpointDisabledNotification({
  userId,
  webhookEndpointId,
}: DomainEventPayloads['webhook-endpoint.disabled']): NewNotification {
  const { type } = NOTIFICATION_KIND_BY_EVENT.WEBHOOK_ENDPOINT_DISABLED;
  return { userId, type, event: 'WEBHOOK_ENDPOINT_DISABLED', data: { webhookEndpointId } };
}

export function createPasswordChangedNotification({
  userId,
}: DomainEventPayloads['user.password-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'PASSWORD_CHANGED', data: {} };
}

export function createPinAttemptsExhaustedNotification(
  code: DomainEventPayloads['pin.attempts-exhausted'],
): NewNotification {
  const data = { qrCodeId: code.qrCodeId, code: code.title };
  return { userId: code.accountId, type: 'ALERT', event: 'PIN_REJECTED', data };
}

export function createDocumentOpenedNotification(
  event: DomainEventPayloads['document.opened'],
): NewNotification {
  return createDocumentNotification(event, 'DOCUMENT_OPENED');
}

export function createPasscodeAttemptsExhaustedNotification(
  event: DomainEventPayloads['document.passcode-attempts-exhausted'],
): NewNotification {
  return createDocumentNotification(event, 'PASSCODE_REJECTED');
}

/** Create the notification of a granted document, without any text of the owner. */
export function createDocumentGrantedNotification({
  grantId,
}: DomainEventPayloads['document.granted']): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KIND_BY_EVENT.DOCUMENT_GRANTED.type;
  return { key: `given:${grantId}`, type, event: 'DOCUMENT_GRANTED', data: { grantId } };
}

export function createQrCodeExpiryNotification({
  event,
  key,
  accountId,
  qrCodeId,
  title,
  expiresAt,
  timeZone,
}: DomainEventPayloads['code.expiring']): NewNotification {
  const data = { qrCodeId, code: title, expiresAt: expiresAt.toISOString(), timeZone };
  return { userId: accountId, key, type: 'DEFAULT', event, data };
}

export function createRoleChangedNotification({
  userId,
  role,
}: DomainEventPayloads['user.role-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'ROLE_CHANGED', data: { role } };
}

export function createBreakGlassUsedNotification({
  accountId,
  resourceType,
  resourceId,
}: DomainEventPayloads['break-glass.used']): NewNotification {
  const data = { [resourceType === 'QRCODE' ? 'qrCodeId' : 'scanId']: resourceId };
  return { userId: accountId, type: 'ALERT', event: 'BREAK_GLASS_OPENED', data };
}

/** Create the notification of a decision about a code, without what the administrator wrote. */
export function createModerationNotification({
  event,
  key,
  accountId,
  qrCodeId,
  title,
  category,
}: DomainEventPayloads['code.moderated']): NewNotification {
  const data = { qrCodeId, code: title, category };
  return { userId: accountId, key, type: NOTIFICATION_KIND_BY_EVENT[event].type, event, data };
}

/** Create the notification of a payment event. Amounts and times are formatted when it is read. */
export function createPaymentNotification(
  { userId, key, event, data }: DomainEventPayloads['subscription.changed'],
  details: PaymentNotificationDetails,
): NewNotification {
  const { names, number, periodStart, periodEnd, timeZone, language } = details;
  const packageName = chooseLocalizedName(names ?? {}, [language], data.packageCode ?? number ?? '–');
  const notificationData = {
    ...data,
    package: packageName,
    timeZone,
    ...(periodStart && periodEnd
      ? { periodStart: periodStart.toISOString(), periodEnd: periodEnd.toISOString() }
      : {}),
  };
  return { userId, key, type: NOTIFICATION_KIND_BY_EVENT[event].type, event, data: notificationData };
}

function createDocumentNotification(
  { accountId, documentId, title }: DomainEventPayloads['document.opened'],
  event: 'DOCUMENT_OPENED' | 'PASSCODE_REJECTED',
): NewNotification {
  const { type } = NOTIFICATION_KIND_BY_EVENT[event];
  return { userId: accountId, type, event, data: { documentId, document: title } };
}

export function createDocumentInfectedNotification({
  accountId,
  documentId,
  title,
  versionId,
}: DomainEventPayloads['document.infected']): NewNotification {
  const data = { documentId, document: title };
  return {
    userId: accountId,
    key: `infected:${versionId}`,
    type: 'SYSTEM',
    event: 'DOCUMENT_INFECTED',
    data,
  };
}

/** Create the notification of an expiring document. The date is the same in every time zone. */
export function createDocumentExpiryNotification({
  event,
  key,
  accountId,
  documentId,
  title,
  expiresOn,
}: DomainEventPayloads['document.expiring']): NewNotification {
  const data = { documentId, document: title, expiresAt: expiresOn.toISOString(), timeZone: 'UTC' };
  return { userId: accountId, key, type: 'DEFAULT', event, data };
}
