import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { Signal } from '../../platform/signal.ts';
import { generateId } from '../../shared/ids.ts';
import { getCurrentStatus } from '../codes/index.ts';
import { describeAgent } from './describe-agent.ts';
import { computeFinderHash } from './finder-hash.ts';
import type { PositionKey } from './geocoding.repository.ts';
import type { NewScan } from './insert-scan.repository.ts';
import { classifyScan } from './scan-class.rules.ts';
import { findScanNotificationKey, toScanNotification } from './scan-notification.ts';
import { encryptPosition, type ScanPlace } from './scan-position.ts';
import { type CodeWithNotificationSettings, getVisibleContent, type VisibleContent } from './scanned-code.ts';
import { hashVisitor, hashVisitorOfPreviousDay, type ScanVisitor } from './visitor.ts';

/** A visit that is to become a scan. */
export interface ScanVisit {
  type: NewScan['type'];
  visitor: ScanVisitor;
  location: ScanPlace | null;
  /** The stored hash that a PIN was right for; null where none was given. */
  provenHash: string | null;
}

/** What preparing works with. */
export interface PrepareScanServices {
  fieldCipher: FieldCipher;
  /** Raised for each notification that is stored with a scan. */
  pendingNotifications: Signal;
  /** Has a server name a position later; null where none is configured. */
  requestGeocoding: ((tx: Tx, placed: PositionKey) => Promise<void>) | null;
}

/**
 * A scan of an open code as it is to be stored, and what it shows (`shownToAll`, where that is known already). The owner hears of scans by people as the
 * code says, and where the thing is lost also when the same person opens it again; robots, previews of messengers and
 * whom the owner blocks tell nobody anything.
 * Throws DATA_INTEGRITY.
 */
export function prepareScan(
  { fieldCipher, pendingNotifications }: PrepareScanServices,
  code: CodeWithNotificationSettings,
  { type, visitor, location, provenHash }: ScanVisit,
  publicContent: VisibleContent | null,
): { scan: NewScan; shown: VisibleContent } {
  // The PIN may have been changed since it was compared.
  const unlocked = provenHash !== null && provenHash === code.pinHash;
  const shown = (unlocked ? null : publicContent) ?? getVisibleContent(fieldCipher, code, unlocked);
  const scannedAt = new Date();
  const id = generateId(scannedAt);
  const classification = classifyScan({ ...visitor, ownerId: code.ownerId, sinceCounted: null });
  const { city = null, region = null, country = null } = location ?? {};
  const isLost = getCurrentStatus(code) === 'LOST';
  const scanEvent = { ownerId: code.ownerId, qrCodeId: code.id, scanId: id, title: code.title, isLost };
  const key = findScanNotificationKey(code, { id, at: scannedAt, isLost });
  const isNotified = classification.class === 'HUMAN' && key !== null;
  if (isNotified) pendingNotifications.raise();
  const scan: NewScan = {
    id,
    qrCodeId: code.id,
    codeVersion: code.version,
    scannerId: visitor.accountId,
    type,
    class: classification.class,
    classRule: classification.rule,
    visitorHash: hashVisitor(fieldCipher, visitor, code.id, scannedAt),
    visitorHashBefore: hashVisitorOfPreviousDay(fieldCipher, visitor, code.id, scannedAt),
    position: location && encryptPosition(fieldCipher, { id, ownerId: code.ownerId }, location),
    city,
    region,
    country,
    ...describeAgent(visitor.userAgent),
    ipTruncated: visitor.ip,
    userAgent: visitor.userAgent,
    unlockedAt: unlocked ? scannedAt : null,
    unlockedVersion: unlocked ? code.version : null,
    scannedAt,
    news: isNotified
      ? {
          id: generateId(),
          key,
          told: toScanNotification({ ...scanEvent, place: city ?? region ?? country }),
          again: isLost,
          finder: code.ownerBlocks
            ? computeFinderHash(fieldCipher, visitor, code.ownerId).toString('hex')
            : null,
        }
      : null,
  };
  return { scan, shown };
}
