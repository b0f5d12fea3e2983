import { chooseLocalizedName, type PaymentNotification } from '../billing/index.ts';
import type { ExpiringCode } from '../codes/index.ts';
import type { MessageNotification } from '../conversations/index.ts';
import type { DocumentAccessNotification, DocumentGrantNotification } from '../documents/index.ts';
import type {
  AnniversaryEvent,
  AnniversaryRow,
  CaretakerNamedEvent,
  GuestBookSignedEvent,
} from '../memory-tags/index.ts';
import type { ScanEvent, ScanLocatedEvent, ScanNotification } from '../scans/index.ts';
import type { NewNotification } from './insert-notification.repository.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.rules.ts';
import type { PaymentDetails } from './payment-details.repository.ts';

/** The notification of a new log-in. */
export function createLoginNotification(userId: string): NewNotification {
  return { userId, type: 'SYSTEM', event: 'NEW_LOGIN', data: {} };
}

/** The notification that a second factor was switched on or off. */
export function createSecondFactorNotification(userId: string, isOn: boolean): NewNotification {
  return { userId, type: 'SYSTEM', event: isOn ? 'SECOND_FACTOR_ON' : 'SECOND_FACTOR_OFF', data: {} };
}

/** What is told of a scan: an alert when the thing is lost. */
export function createScanNotification(scan: ScanEvent): ScanNotification {
  return toScanNotificationFields(scan, scan.isLost ? 'LOST_CODE_SCANNED' : 'QR_CODE_SCANNED');
}

/** The notification that whoever made a scan said where they are: an alert when the thing is lost. */
export function createLocationNotification(notice: ScanLocatedEvent): NewNotification {
  return {
    userId: notice.ownerId,
    key: `location:${notice.locationId}`,
    ...toScanNotificationFields(notice, 'SCAN_LOCATED'),
  };
}

/** The notification that a finder wrote: no word of what. */
export function createMessageNotification(notice: MessageNotification): NewNotification {
  const { ownerId, qrCodeId, conversationId, messageId, title } = notice;
  const data = { qrCodeId, conversationId, messageId, code: title };
  return { userId: ownerId, key: `message:${messageId}`, type: 'MESSAGE', event: 'MESSAGE_RECEIVED', data };
}

/** The notification that a visitor wrote in a guest book: no word of what. */
export function createGuestBookEntryNotification(notice: GuestBookSignedEvent): NewNotification {
  const { ownerId, entryId, memoryTagId, qrCodeId, remembered } = notice;
  const data = { memoryTagId, qrCodeId, guestBookEntryId: entryId, remembered };
  return { userId: ownerId, key: `entry:${entryId}`, type: 'MESSAGE', event: 'GUEST_BOOK_SIGNED', data };
}

/** The notification that somebody was named caretaker of a memory tag: nothing that whoever names them has written. */
export function createCaretakerNotification({
  caretakerId,
  memoryTagId,
}: CaretakerNamedEvent): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KINDS.CARETAKER_ADDED.type;
  return { key: `caretaker:${caretakerId}`, type, event: 'CARETAKER_ADDED', data: { memoryTagId } };
}

/** The notification that it is the day of birth, or of death, of somebody who is remembered: one a year. */
export function createAnniversaryNotification(
  event: AnniversaryEvent,
  { userId, memoryTagId, qrCodeId, name, date }: AnniversaryRow,
  year: number,
): NewNotification {
  const data = { memoryTagId, ...(qrCodeId && { qrCodeId }), remembered: name, anniversaryOf: date };
  return { userId, key: `${event}:${memoryTagId}:${year}`, type: 'DEFAULT', event, data };
}

/** The notification that a password was changed, or replaced by way of a mailed link. */
export function createPasswordNotification(userId: string): NewNotification {
  return { userId, type: 'SYSTEM', event: 'PASSWORD_CHANGED', data: {} };
}

/** The notification that somebody tries PINs. */
export function createPinAttemptsNotification(code: {
  ownerId: string;
  qrCodeId: string;
  title: string;
}): NewNotification {
  const data = { qrCodeId: code.qrCodeId, code: code.title };
  return { userId: code.ownerId, type: 'ALERT', event: 'PIN_REJECTED', data };
}

/** The notification that somebody opened a document. */
export function createDocumentOpenedNotification(notice: DocumentAccessNotification): NewNotification {
  return createDocumentNotification(notice, 'DOCUMENT_OPENED');
}

/** The notification that somebody tries passcodes of a link to a document. */
export function createPasscodeAttemptsNotification(notice: DocumentAccessNotification): NewNotification {
  return createDocumentNotification(notice, 'PASSCODE_REJECTED');
}

/** The notification that somebody was given a document: nothing that whoever gives it has written. */
export function createDocumentGrantedNotification({
  grantId,
}: DocumentGrantNotification): Omit<NewNotification, 'userId'> {
  const type = NOTIFICATION_KINDS.DOCUMENT_GRANTED.type;
  return { key: `given:${grantId}`, type, event: 'DOCUMENT_GRANTED', data: { grantId } };
}

/** The notification that a code ends soon, or has ended. */
export function createCodeExpiryNotification(
  event: 'CODE_EXPIRING' | 'CODE_EXPIRED',
  { id: qrCodeId, ownerId, title, expiresAt, timeZone, key }: ExpiringCode,
): NewNotification {
  const data = { qrCodeId, code: title, expiresAt: expiresAt.toISOString(), timeZone };
  return { userId: ownerId, key, type: 'DEFAULT', event, data };
}

/** The notification that an administrator gave a person another role. */
export function createRoleNotification(userId: string, role: string): NewNotification {
  return { userId, type: 'SYSTEM', event: 'ROLE_CHANGED', data: { role } };
}

/** A record that an administrator opened in an emergency. */
export interface BreakGlassEvent {
  ownerId: string;
  resourceType: 'QRCODE' | 'SCAN';
  resourceId: string;
}

/** The notification that an administrator reads a person's record in an emergency. */
export function createBreakGlassNotification({
  ownerId,
  resourceType,
  resourceId,
}: BreakGlassEvent): NewNotification {
  const data = { [resourceType === 'QRCODE' ? 'qrCodeId' : 'scanId']: resourceId };
  return { userId: ownerId, type: 'ALERT', event: 'BREAK_GLASS_OPENED', data };
}

/** The notification of something about a payment; amounts and times are put into words when it is read. */
export function createPaymentNotification(
  { userId, key, event, data }: PaymentNotification,
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
  { ownerId, documentId, title }: DocumentAccessNotification,
  event: 'DOCUMENT_OPENED' | 'PASSCODE_REJECTED',
): NewNotification {
  const { type } = NOTIFICATION_KINDS[event];
  return { userId: ownerId, type, event, data: { documentId, document: title } };
}

function toScanNotificationFields(
  scan: ScanEvent,
  event: NewNotification['event'],
): Pick<NewNotification, 'type' | 'event' | 'data'> {
  const { qrCodeId, scanId, title, place } = scan;
  const data = { qrCodeId, scanId, code: title, ...(place === null ? {} : { place }) };
  return { type: scan.isLost ? 'ALERT' : 'DEFAULT', event, data };
}
