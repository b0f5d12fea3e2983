import type { DomainEvents } from '../../shared/domain-events.ts';
import { chooseLocalizedName } from '../billing/index.ts';
import { toScanNotification } from '../scans/index.ts';
import type { NewNotification } from './insert-notification.repository.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.rules.ts';
import type { PaymentDetails } from './payment-details.repository.ts';

/** The notification of a new log-in. */
export function createLoginNotification({ userId }: DomainEvents['user.logged-in']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'NEW_LOGIN', data: {} };
}

/** The notification that a second factor was switched on or off. */
export function createSecondFactorNotification({
  userId,
  isEnabled,
}: DomainEvents['user.second-factor-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: isEnabled ? 'SECOND_FACTOR_ON' : 'SECOND_FACTOR_OFF', data: {} };
}

/** The notification that whoever made a scan said where they are: an alert when the thing is lost. */
export function createLocationNotification(notice: DomainEvents['scan.located']): NewNotification {
  return {
    userId: notice.ownerId,
    key: `location:${notice.locationId}`,
    ...toScanNotification(notice, 'SCAN_LOCATED'),
  };
}

/** The notification that a finder wrote: no word of what. */
export function createMessageNotification(notice: DomainEvents['message.received']): NewNotification {
  const { ownerId, qrCodeId, conversationId, messageId, title } = notice;
  const data = { qrCodeId, conversationId, messageId, code: title };
  return { userId: ownerId, key: `message:${messageId}`, type: 'MESSAGE', event: 'MESSAGE_RECEIVED', data };
}

/** The notification that a visitor wrote in a guest book: no word of what. */
export function createGuestBookEntryNotification(notice: DomainEvents['guest-book.signed']): NewNotification {
  const { ownerId, entryId, memoryTagId, qrCodeId, remembered } = notice;
  const data = { memoryTagId, qrCodeId, guestBookEntryId: entryId, remembered };
  return { userId: ownerId, key: `entry:${entryId}`, type: 'MESSAGE', event: 'GUEST_BOOK_SIGNED', data };
}

/** The notification that somebody was named caretaker of a memory tag: nothing that whoever names them has written. */
export function createCaretakerNotification({
  caretakerId,
  memoryTagId,
}: DomainEvents['caretaker.named']): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KINDS.CARETAKER_ADDED.type;
  return { key: `caretaker:${caretakerId}`, type, event: 'CARETAKER_ADDED', data: { memoryTagId } };
}

/** The notification that it is the day of birth, or of death, of somebody who is remembered: one a year. */
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

/** The notification that a password was changed, or replaced by way of a mailed link. */
export function createPasswordNotification({
  userId,
}: DomainEvents['user.password-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'PASSWORD_CHANGED', data: {} };
}

/** The notification that somebody tries PINs. */
export function createPinAttemptsNotification(code: DomainEvents['pin.attempts-exhausted']): NewNotification {
  const data = { qrCodeId: code.qrCodeId, code: code.title };
  return { userId: code.ownerId, type: 'ALERT', event: 'PIN_REJECTED', data };
}

/** The notification that somebody opened a document. */
export function createDocumentOpenedNotification(notice: DomainEvents['document.opened']): NewNotification {
  return createDocumentNotification(notice, 'DOCUMENT_OPENED');
}

/** The notification that somebody tries passcodes of a link to a document. */
export function createPasscodeAttemptsNotification(
  notice: DomainEvents['document.passcode-attempts-exhausted'],
): NewNotification {
  return createDocumentNotification(notice, 'PASSCODE_REJECTED');
}

/** The notification that somebody was given a document: nothing that whoever gives it has written. */
export function createDocumentGrantedNotification({
  grantId,
}: DomainEvents['document.granted']): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KINDS.DOCUMENT_GRANTED.type;
  return { key: `given:${grantId}`, type, event: 'DOCUMENT_GRANTED', data: { grantId } };
}

/** The notification that a code ends soon, or has ended. */
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

/** The notification that an administrator gave a person another role. */
export function createRoleNotification({ userId, role }: DomainEvents['user.role-changed']): NewNotification {
  return { userId, type: 'SYSTEM', event: 'ROLE_CHANGED', data: { role } };
}

/** The notification that an administrator reads a person's record in an emergency. */
export function createBreakGlassNotification({
  ownerId,
  resourceType,
  resourceId,
}: DomainEvents['break-glass.used']): NewNotification {
  const data = { [resourceType === 'QRCODE' ? 'qrCodeId' : 'scanId']: resourceId };
  return { userId: ownerId, type: 'ALERT', event: 'BREAK_GLASS_OPENED', data };
}

/** The notification of something about a payment; amounts and times are put into words when it is read. */
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

/** The notification that malware was found in a version of a document, which was removed. */
export function createDocumentInfectedNotification({
  ownerId,
  documentId,
  title,
  versionId,
}: DomainEvents['document.infected']): NewNotification {
  const data = { documentId, document: title };
  return { userId: ownerId, key: `infected:${versionId}`, type: 'SYSTEM', event: 'DOCUMENT_INFECTED', data };
}

/** The notification that a document expires soon, or today. A day is the same in every time zone. */
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
