import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { generateId } from '../../shared/ids.ts';
import { computeFinderHash } from '../conversations/finder-hash.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import { describeAgent } from './agent.ts';
import type { Placed } from './geocoding.repository.ts';
import type { NewScan } from './insert-scan.repository.ts';
import { classOf } from './scan-class.rules.ts';
import { newsKeyOf, type ScanNews, type ScanNotification } from './scan-news.ts';
import { type Location, sealPosition } from './scan-position.ts';
import { type Shown, showCode, type TellingCode } from './scanned-code.ts';
import { type Visitor, visitorHash, visitorHashBefore } from './visitor.ts';

/** A visit that is to become a scan. */
export interface Visit {
  type: NewScan['type'];
  visitor: Visitor;
  location: Location | null;
  /** The stored hash that a PIN was right for; null where none was given. */
  provenHash: string | null;
}

/** What preparing works with. */
export interface PreparingServices {
  fieldCipher: FieldCipher;
  /** What an owner is told of a scan. */
  createScanNotification(news: ScanNews): ScanNotification;
  /** Has a server name a position later; null where none is configured. */
  requestGeocoding: ((tx: Tx, placed: Placed) => Promise<void>) | null;
}

/**
 * A scan of an open code as it is to be stored, and what it shows (`shownToAll`, where that is known already). The owner hears of scans by people as the
 * code says, and where the thing is lost also when the same person opens it again; robots, previews of messengers and
 * whom the owner blocks tell nobody anything.
 * Throws DATA_INTEGRITY.
 */
export function prepareScan(
  { fieldCipher, createScanNotification: newsOfScan }: PreparingServices,
  code: TellingCode,
  { type, visitor, location, provenHash }: Visit,
  shownToAll: Shown | null,
): { scan: NewScan; shown: Shown } {
  // The PIN may have been changed since it was compared.
  const unlocked = provenHash !== null && provenHash === code.pinHash;
  const shown = (unlocked ? null : shownToAll) ?? showCode(fieldCipher, code, unlocked);
  const scannedAt = new Date();
  const id = generateId(scannedAt);
  const decided = classOf({ ...visitor, ownerId: code.ownerId, sinceCounted: null });
  const { city = null, region = null, country = null } = location ?? {};
  const isLost = currentStatus(code) === 'LOST';
  const about = { ownerId: code.ownerId, qrCodeId: code.id, scanId: id, title: code.title, isLost };
  const key = newsKeyOf(code, { id, at: scannedAt, isLost });
  const scan: NewScan = {
    id,
    qrCodeId: code.id,
    codeVersion: code.version,
    scannerId: visitor.accountId,
    type,
    class: decided.class,
    classRule: decided.rule,
    visitorHash: visitorHash(fieldCipher, visitor, code.id, scannedAt),
    visitorHashBefore: visitorHashBefore(fieldCipher, visitor, code.id, scannedAt),
    position: location && sealPosition(fieldCipher, { id, ownerId: code.ownerId }, location),
    city,
    region,
    country,
    ...describeAgent(visitor.userAgent),
    ipTruncated: visitor.ip,
    userAgent: visitor.userAgent,
    unlockedAt: unlocked ? scannedAt : null,
    unlockedVersion: unlocked ? code.version : null,
    scannedAt,
    news:
      decided.class === 'HUMAN' && key !== null
        ? {
            id: generateId(),
            key,
            told: newsOfScan({ ...about, place: city ?? region ?? country }),
            again: isLost,
            finder: code.ownerBlocks
              ? computeFinderHash(fieldCipher, visitor, code.ownerId).toString('hex')
              : null,
          }
        : null,
  };
  return { scan, shown };
}
