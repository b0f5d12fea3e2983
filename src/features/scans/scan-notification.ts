import { formatLocalDate } from '../../shared/day-start.ts';
import type { ScanRecorded } from '../../shared/domain-events.ts';

/** The notification of a scan, as it is stored. */
export interface ScanNotification {
  type: 'ALERT' | 'DEFAULT';
  event: 'LOST_CODE_SCANNED' | 'QR_CODE_SCANNED' | 'SCAN_LOCATED';
  data: Record<string, string>;
}

/** Convert a scan into its notification: an alert when the thing is lost. */
export function toScanNotification(
  scan: ScanRecorded,
  event: ScanNotification['event'] = scan.isLost ? 'LOST_CODE_SCANNED' : 'QR_CODE_SCANNED',
): ScanNotification {
  const { qrCodeId, scanId, title, place } = scan;
  const data = { qrCodeId, scanId, code: title, ...(place === null ? {} : { place }) };
  return { type: scan.isLost ? 'ALERT' : 'DEFAULT', event, data };
}

/** What decides whether an owner hears of a scan by a person. */
interface NotifiableCode {
  id: string;
  /** EVERY_SCAN, FIRST_OF_DAY, ONLY_LOST or NEVER. */
  notifyOn: string;
  ownerTimeZone: string;
}

/**
 * By what an owner is told of a scan by a person, so that they are told of the same once: of each scan, or of a day in
 * their time zone. Null where they do not want to hear of it. Of a lost thing they hear each time, unless never.
 */
export function findScanNotificationKey(
  code: NotifiableCode,
  scan: { id: string; at: Date; isLost: boolean },
): string | null {
  const { notifyOn } = code;
  if (notifyOn === 'NEVER' || (notifyOn === 'ONLY_LOST' && !scan.isLost)) return null;
  if (notifyOn === 'FIRST_OF_DAY' && !scan.isLost)
    return `scan:${code.id}:${formatLocalDate(scan.at, code.ownerTimeZone)}`;
  return `scan:${scan.id}`;
}
