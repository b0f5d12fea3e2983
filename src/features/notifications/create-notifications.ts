import type { DomainEvents } from '../../shared/domain-events.ts';
import { chooseLocalizedName } from '../billing/index.ts';
import { toScanNotification } from '../scans/index.ts';
import type { NewNotification } from './insert-notification.repository.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.rules.ts';
import type { PaymentDetails } from './payment-details.repository.ts';

export function createLoginNotification({ userId }: DomainEvents['user.logged-in']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'NEW_LOGIN', data: {} };
}

export function createSecondFactorNotification({
  userId,
  isEnabled,
}: DomainEvents['user.second-factor-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: isEnabled ? 'SECOND_FACTOR_ON' : 'SECOND_FACTOR_OFF', data: {} };
}

export function createLocationNotification(event: DomainEvents['scan.located']): NewNotification {
  return {
    userId: event.ownerId,
    key: `location:${event.locationId}`,
    ...toScanNotification(event, 'SCAN_LOCATED'),
  };
}

/** Create the notification of a message, without its content. */
export function createMessageNotification(event: DomainEvents['message.received']): NewNotification {
  const { ownerId, qrCodeId, conversationId, messageId, title } = event;
  const data = { qrCodeId, conversationId, messageId, code: title };
  return { userId: ownerId, key: `message:${messageId}`, type: 'MESSAGE', event: 'MESSAGE_RECEIVED', data };
}

/** Create the notification of a guest book entry, without its content. */
export function createGuestBookEntryNotification(event: DomainEvents['guest-book.signed']): NewNotification {
  const { ownerId, entryId, memoryTagId, qrCodeId, remembered } = event;
  const data = { memoryTagId, qrCodeId, guestBookEntryId: entryId, remembered };
  return { userId: ownerId, key: `entry:${entryId}`, type: 'MESSAGE', event: 'GUEST_BOOK_SIGNED', data };
}

/** Create the notification of a new caretaker, without any text of the owner. */
export function createCaretakerNotification({
  caretakerId,
  memoryTagId,
}: DomainEvents['caretaker.named']): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KINDS.CARETAKER_ADDED.type;
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
}: DomainEvents['memory-tag.anniversary']): NewNotification {
  const data = { memoryTagId, ...(qrCodeId && { qrCodeId }), remembered: name, anniversaryOf: date };
  return { userId, key: `${event}:${memoryTagId}:${year}`, type: 'DEFAULT', event, data };
}

export function createPasswordNotification({
  userId,
}: DomainEvents['user.password-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'PASSWORD_CHANGED', data: {} };
}

export function createPinAttemptsNotification(code: DomainEvents['pin.attempts-exhausted']): NewNotification {
  const data = { qrCodeId: code.qrCodeId, code: code.title };
  return { userId: code.ownerId, type: 'ALERT', event: 'PIN_REJECTED', data };
}

export function createDocumentOpenedNotification(event: DomainEvents['document.opened']): NewNotification {
  return createDocumentNotification(event, 'DOCUMENT_OPENED');
}

export function createPasscodeAttemptsNotification(
  event: DomainEvents['document.passcode-attempts-exhausted'],
): NewNotification {
  return createDocumentNotification(event, 'PASSCODE_REJECTED');
}

/** Create the notification of a granted document, without any text of the owner. */
export function createDocumentGrantedNotification({
  grantId,
}: DomainEvents['document.granted']): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KINDS.DOCUMENT_GRANTED.type;
  return { key: `given:${grantId}`, type, event: 'DOCUMENT_GRANTED', data: { grantId } };
}

export function createCodeExpiryNotification({
  event,
  key,
  ownerId,
  qrCodeId,
  title,
  expiresAt,
  timeZone,
}: DomainEvents['code.expiring']): NewNotification {
  const data = { qrCodeId, code: title, expiresAt: expiresAt.toISOString(), timeZone };
  return { userId: ownerId, key, type: 'DEFAULT', event, data };
}

export function createRoleNotification({ userId, role }: DomainEvents['user.role-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'ROLE_CHANGED', data: { role } };
}

export function createBreakGlassNotification({
  ownerId,
  resourceType,
  resourceId,
}: DomainEvents['break-glass.used']): NewNotification {
  const data = { [resourceType === 'QRCODE' ? 'qrCodeId' : 'scanId']: resourceId };
  return { userId: ownerId, type: 'ALERT', event: 'BREAK_GLASS_OPENED', data };
}

/** Create the notification of a payment event. Amounts and times are formatted when it is read. */
export function createPaymentNotification(
  { userId, key, event, data }: DomainEvents['subscription.changed'],
  details: PaymentDetails,
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
  return { userId, key, type: NOTIFICATION_KINDS[event].type, event, data: notificationData };
}

function createDocumentNotification(
  { ownerId, documentId, title }: DomainEvents['document.opened'],
  event: 'DOCUMENT_OPENED' | 'PASSCODE_REJECTED',
): NewNotification {
  const { type } = NOTIFICATION_KINDS[event];
  return { userId: ownerId, type, event, data: { documentId, document: title } };
}

export function createDocumentInfectedNotification({
  ownerId,
  documentId,
  title,
  versionId,
}: DomainEvents['document.infected']): NewNotification {
  const data = { documentId, document: title };
  return { userId: ownerId, key: `infected:${versionId}`, type: 'SYSTEM', event: 'DOCUMENT_INFECTED', data };
}

/** Create the notification of an expiring document. The date is the same in every time zone. */
export function createDocumentExpiryNotification({
  event,
  key,
  ownerId,
  documentId,
  title,
  expiresOn,
}: DomainEvents['document.expiring']): NewNotification {
  const data = { documentId, document: title, expiresAt: expiresOn.toISOString(), timeZone: 'UTC' };
  return { userId: ownerId, key, type: 'DEFAULT', event, data };
}
