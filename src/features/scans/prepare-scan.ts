import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { WakeSignal } from '../../platform/signal.ts';
import { generateId } from '../../shared/ids.ts';
import { getCurrentQrCodeStatus } from '../codes/index.ts';
import { describeUserAgent } from './describe-agent.ts';
import { computeFinderHash } from './finder-hash.ts';
import type { ScanPositionRowKey } from './geocoding.repository.ts';
import type { NewScanRow } from './insert-scan.repository.ts';
import { classifyScan } from './scan-class.rules.ts';
import { createScanNotificationKey, toScanNotification } from './scan-notification.ts';
import { encryptExactPosition, type GeocodedPosition } from './scan-position.ts';
import {
  getVisibleQrCodeContent,
  type QrCodeWithNotificationSettings,
  type VisibleQrCodeContent,
} from './scanned-code.ts';
import { hashScanVisitor, hashScanVisitorOfPreviousDay, type ScanVisitor } from './visitor.ts';

export interface RecordScanInput {
  type: NewScanRow['type'];
  visitor: ScanVisitor;
  location: GeocodedPosition | null;
  matchedHash: string | null;
}

export interface PrepareScanServices {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
  pendingNotifications: WakeSignal;
  requestGeocoding: ((tx: Tx, positionKey: ScanPositionRowKey) => Promise<void>) | null;
}

/**
 * Only scans by humans notify; repeated ones only while the item is lost, none of blocked finders.
 * @throws DATA_INTEGRITY
 */
export function prepareScan(
  services: PrepareScanServices,
  code: QrCodeWithNotificationSettings,
  { type, visitor, location, matchedHash }: RecordScanInput,
  publicContent: VisibleQrCodeContent | null,
): { scan: NewScanRow; content: VisibleQrCodeContent } {
  const { fieldCipher, pendingNotifications } = services;
  // The PIN may have changed since it was compared.
  const unlocked = matchedHash !== null && matchedHash === code.pinHash;
  const content = (unlocked ? null : publicContent) ?? getVisibleQrCodeContent(services, code, unlocked);
  const scannedAt = new Date();
  const id = generateId(scannedAt);
  const classification = classifyScan({ ...visitor, accountId: code.accountId, sinceCounted: null });
  const { city = null, region = null, country = null } = location ?? {};
  const isLost = getCurrentQrCodeStatus(code) === 'LOST';
  const scanEvent = { accountId: code.accountId, qrCodeId: code.id, scanId: id, title: code.title, isLost };
  const key = createScanNotificationKey(code, { id, at: scannedAt, isLost });
  const isNotified = classification.class === 'HUMAN' && key !== null;
  if (isNotified) pendingNotifications.raise();
  const scan: NewScanRow = {
    id,
    qrCodeId: code.id,
    codeVersion: code.version,
    expectedAccountId: code.accountId,
    scannerId: visitor.scannerId,
    type,
    class: classification.class,
    classRule: classification.rule,
    visitorHash: hashScanVisitor(fieldCipher, visitor, code.id, scannedAt),
    previousDayVisitorHash: hashScanVisitorOfPreviousDay(fieldCipher, visitor, code.id, scannedAt),
    position: location && encryptExactPosition(fieldCipher, { id, accountId: code.accountId }, location),
    city,
    region,
    country,
    ...describeUserAgent(visitor.userAgent),
    ipTruncated: visitor.ip,
    userAgent: visitor.userAgent,
    unlockedAt: unlocked ? scannedAt : null,
    unlockedVersion: unlocked ? code.version : null,
    scannedAt,
    notification: isNotified
      ? {
          id: generateId(),
          key,
          content: toScanNotification({ ...scanEvent, place: city ?? region ?? country, country }),
          repeat: isLost,
          finder: code.ownerBlocks
            ? computeFinderHash(fieldCipher, visitor, code.accountId).toString('hex')
            : null,
        }
      : null,
  };
  return { scan, content };
}
