import { formatLocalDate } from '../../shared/day-start.ts';

/** What an owner is to know of a scan. */
export interface ScanEvent {
  ownerId: string;
  qrCodeId: string;
  scanId: string;
  title: string;
  isLost: boolean;
  /** The city, or what is known beyond it. */
  place: string | null;
}

/** What an owner is to know of a position that was given for a scan. */
export interface ScanLocatedEvent extends ScanEvent {
  locationId: string;
}

/** What an owner is told of a scan. */
export interface ScanNotification {
  type: string;
  event: string;
  data: Record<string, string>;
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
