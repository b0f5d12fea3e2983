import type { MessageNews } from '../conversations/conversation-services.ts';
import type { ScanNews } from '../scans/scan-news.ts';
import type { NewNotification } from './insert-notification.repository.ts';

/** The notification of a new log-in. */
export function loginNotification(userId: string): NewNotification {
  return { userId, type: 'SYSTEM', event: 'NEW_LOGIN', data: {} };
}

/** The notification that a second factor was switched on or off. */
export function secondFactorNotification(userId: string, isOn: boolean): NewNotification {
  return { userId, type: 'SYSTEM', event: isOn ? 'SECOND_FACTOR_ON' : 'SECOND_FACTOR_OFF', data: {} };
}

/** The notification of a scan: an alert when the thing is lost. */
export function scanNotification(scan: ScanNews): NewNotification {
  return aboutScan(scan, scan.isLost ? 'LOST_CODE_SCANNED' : 'QR_CODE_SCANNED');
}

/** The notification that whoever made a scan said where they are: an alert when the thing is lost. */
export function locationNotification(scan: ScanNews): NewNotification {
  return aboutScan(scan, 'SCAN_LOCATED');
}

/** The notification that a finder wrote: no word of what. */
export function messageNotification(news: MessageNews): NewNotification {
  const { ownerId, qrCodeId, conversationId, title } = news;
  const data = { qrCodeId, conversationId, code: title };
  return { userId: ownerId, type: 'MESSAGE', event: 'MESSAGE_RECEIVED', data };
}

/** The notification that somebody tries PINs. */
export function pinNotification(code: { ownerId: string; qrCodeId: string; title: string }): NewNotification {
  const data = { qrCodeId: code.qrCodeId, code: code.title };
  return { userId: code.ownerId, type: 'ALERT', event: 'PIN_REJECTED', data };
}

/** The notification that an administrator gave a person another role. */
export function roleNotification(userId: string, role: string): NewNotification {
  return { userId, type: 'SYSTEM', event: 'ROLE_CHANGED', data: { role } };
}

/** A record that an administrator opened in an emergency. */
export interface GlassNews {
  ownerId: string;
  resourceType: 'QRCODE' | 'SCAN';
  resourceId: string;
}

/** The notification that an administrator reads a person's record in an emergency. */
export function glassNotification({ ownerId, resourceType, resourceId }: GlassNews): NewNotification {
  const data = { [resourceType === 'QRCODE' ? 'qrCodeId' : 'scanId']: resourceId };
  return { userId: ownerId, type: 'ALERT', event: 'GLASS_BROKEN', data };
}

function aboutScan(scan: ScanNews, event: NewNotification['event']): NewNotification {
  const { ownerId, qrCodeId, scanId, title, place } = scan;
  const data = { qrCodeId, scanId, code: title, ...(place === null ? {} : { place }) };
  return { userId: ownerId, type: scan.isLost ? 'ALERT' : 'DEFAULT', event, data };
}
