import { formatDateInTimeZone } from '../../shared/day-start.ts';
import type { ScanRecordedEvent } from '../../shared/domain-events.ts';

export interface ScanNotification {
  type: 'ALERT' | 'DEFAULT';
  event: 'code.scanned_while_lost' | 'scan.created' | 'scan.located';
  data: Record<string, string>;
}

export function toScanNotification(
  scan: ScanRecordedEvent,
  event: ScanNotification['event'] = scan.isLost ? 'code.scanned_while_lost' : 'scan.created',
): ScanNotification {
  const { qrCodeId, scanId, title, place, country } = scan;
  const data = {
    qrCodeId,
    scanId,
    code: title,
    ...(place === null ? {} : { place }),
    ...(country === null || country === place ? {} : { country }),
  };
  return { type: scan.isLost ? 'ALERT' : 'DEFAULT', event, data };
}

interface NotifiableCode {
  id: string;
  notifyOn: string;
  ownerTimeZone: string;
}

/** Deduplicate per scan or day of the owner; null for none. Lost items always notify, unless NEVER. */
export function createScanNotificationKey(
  code: NotifiableCode,
  scan: { id: string; at: Date; isLost: boolean },
): string | null {
  const { notifyOn } = code;
  if (notifyOn === 'NEVER' || (notifyOn === 'ONLY_LOST' && !scan.isLost)) return null;
  if (notifyOn === 'FIRST_OF_DAY' && !scan.isLost)
    return `scan:${code.id}:${formatDateInTimeZone(scan.at, code.ownerTimeZone)}`;
  return `scan:${scan.id}`;
}
