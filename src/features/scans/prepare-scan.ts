import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { WakeSignal } from '../../platform/signal.ts';
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

export interface ScanVisit {
  type: NewScan['type'];
  visitor: ScanVisitor;
  location: ScanPlace | null;
  matchedHash: string | null;
}

export interface PrepareScanServices {
  fieldCipher: FieldCipher;
  pendingNotifications: WakeSignal;
  requestGeocoding: ((tx: Tx, positionKey: PositionKey) => Promise<void>) | null;
}

/**
 * Only scans by humans notify; repeated ones only while the item is lost, none of blocked finders.
 * @throws DATA_INTEGRITY
 */
export function prepareScan(
  { fieldCipher, pendingNotifications }: PrepareScanServices,
  code: CodeWithNotificationSettings,
  { type, visitor, location, matchedHash }: ScanVisit,
  publicContent: VisibleContent | null,
): { scan: NewScan; content: VisibleContent } {
  // The PIN may have changed since it was compared.
  const unlocked = matchedHash !== null && matchedHash === code.pinHash;
  const content = (unlocked ? null : publicContent) ?? getVisibleContent(fieldCipher, code, unlocked);
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
    previousDayVisitorHash: hashVisitorOfPreviousDay(fieldCipher, visitor, code.id, scannedAt),
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
    notification: isNotified
      ? {
          id: generateId(),
          key,
          content: toScanNotification({ ...scanEvent, place: city ?? region ?? country }),
          repeat: isLost,
          finder: code.ownerBlocks
            ? computeFinderHash(fieldCipher, visitor, code.ownerId).toString('hex')
            : null,
        }
      : null,
  };
  return { scan, content };
}
