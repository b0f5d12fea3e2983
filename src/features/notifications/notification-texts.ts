import type { ScanNews } from '../scans/scan-news.ts';
import type { NewNotification } from './insert-notification.repository.ts';

/** The notification of a new log-in. */
export function loginNotification(userId: string): NewNotification {
  return {
    userId,
    type: 'SYSTEM',
    event: 'NEW_LOGIN',
    title: 'New log-in',
    body: 'Somebody logged in to your account. If it was not you, change your password and end the session.',
    data: {},
  };
}

/** The notification that a second factor was switched on or off. */
export function secondFactorNotification(userId: string, isOn: boolean): NewNotification {
  const [event, state] = isOn
    ? (['SECOND_FACTOR_ON', 'on'] as const)
    : (['SECOND_FACTOR_OFF', 'off'] as const);
  return {
    userId,
    type: 'SYSTEM',
    event,
    title: `Second factor switched ${state}`,
    body: `Your second factor was switched ${state}, and every other session was ended. If it was not you, change your password.`,
    data: {},
  };
}

/** The notification of a scan: an alert when the thing is lost. */
export function scanNotification(scan: ScanNews): NewNotification {
  const where = scan.place ? ` near ${scan.place}` : '';
  return {
    userId: scan.ownerId,
    type: scan.isLost ? 'ALERT' : 'DEFAULT',
    event: scan.isLost ? 'LOST_CODE_SCANNED' : 'QR_CODE_SCANNED',
    title: scan.isLost ? `Lost: “${scan.title}” was scanned` : `“${scan.title}” was scanned`,
    body: `Your code “${scan.title}” was scanned${where}.`,
    data: { qrCodeId: scan.qrCodeId, scanId: scan.scanId },
  };
}

/** The notification that whoever made a scan said where they are: an alert when the thing is lost. */
export function locationNotification(scan: ScanNews): NewNotification {
  const where = scan.place ? ` near ${scan.place}` : '';
  return {
    userId: scan.ownerId,
    type: scan.isLost ? 'ALERT' : 'DEFAULT',
    event: 'SCAN_LOCATED',
    title: scan.isLost ? `Lost: “${scan.title}” was located` : `“${scan.title}” was located`,
    body: `Somebody who scanned your code “${scan.title}” shared an exact position${where}.`,
    data: { qrCodeId: scan.qrCodeId, scanId: scan.scanId },
  };
}

/** The notification that somebody tries PINs. */
export function pinNotification(code: { ownerId: string; qrCodeId: string; title: string }): NewNotification {
  return {
    userId: code.ownerId,
    type: 'ALERT',
    event: 'PIN_REJECTED',
    title: `Wrong PINs for “${code.title}”`,
    body: `Somebody entered wrong PINs for your code “${code.title}”. What a PIN guards was not shown.`,
    data: { qrCodeId: code.qrCodeId },
  };
}

/** The notification that an administrator gave a person another role. */
export function roleNotification(userId: string, role: string): NewNotification {
  return {
    userId,
    type: 'SYSTEM',
    event: 'ROLE_CHANGED',
    title: 'Your role was changed',
    body: `An administrator changed your role to ${role}.`,
    data: {},
  };
}

/** A record that an administrator opened in an emergency. */
export interface GlassNews {
  ownerId: string;
  resourceType: 'QRCODE' | 'SCAN';
  resourceId: string;
}

/** The notification that an administrator reads a person's record in an emergency. */
export function glassNotification(record: GlassNews): NewNotification {
  const what = record.resourceType === 'QRCODE' ? 'one of your codes' : 'a scan of one of your codes';
  return {
    userId: record.ownerId,
    type: 'ALERT',
    event: 'GLASS_BROKEN',
    title: 'An administrator opened a record of yours',
    body: `In an emergency an administrator opened ${what}, for a quarter of an hour. Who read what is in your audit list.`,
    data: { [record.resourceType === 'QRCODE' ? 'qrCodeId' : 'scanId']: record.resourceId },
  };
}
