import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  decryptQrCodeData,
  filterVisibleFields,
  findPublicQrCode,
  getCurrentQrCodeStatus,
  getQrCodeKindByName,
  LOST_ITEM_REPORT,
  listVisiblePictures,
  parseFieldVisibilities,
  type QrCodeRow,
  type QrCodeWithPictures,
  resolveFieldVisibilities,
  type VisiblePicture,
  WITHHELD_STATUS,
} from '../codes/index.ts';
import type { ScanClass } from './scan-class.rules.ts';
import type { GeocodedPosition } from './scan-position.ts';

export type QrCodeContentRow = Pick<
  QrCodeWithPictures,
  | 'id'
  | 'accountId'
  | 'kind'
  | 'status'
  | 'expiresAt'
  | 'data'
  | 'visibility'
  | 'pinHash'
  | 'contactable'
  | 'version'
  | 'pictures'
>;

export type ScannedQrCode = QrCodeContentRow &
  Pick<QrCodeRow, 'title' | 'lostDetails' | 'showsPage' | 'pageDesign'>;

export type QrCodeWithNotificationSettings = ScannedQrCode &
  Pick<QrCodeRow, 'notifyOn'> & {
    ownerTimeZone: string;
    /** Up to a minute old for cached codes. */
    ownerBlocks: boolean;
  };

export interface VisibleQrCodeContent {
  /** In display order; null when there is none. */
  profile: Record<string, unknown> | null;
  pictures: VisiblePicture[];
  pinRequired: boolean;
  contactable: boolean;
}

export interface RecordedScan {
  id: string;
  class: ScanClass;
  scannedAt: Date;
  code: ScannedQrCode;
  content: VisibleQrCodeContent;
  location: GeocodedPosition | null;
}

/** @throws NOT_FOUND, CODE_UNAVAILABLE, CODE_PAUSED, CODE_EXPIRED */
export async function getOpenQrCode(
  db: Db,
  id: string,
): Promise<ScannedQrCode & Pick<QrCodeRow, 'updatedAt'>> {
  const code = await findPublicQrCode(db, id);
  if (!code) throw new ServiceError('NOT_FOUND');
  assertQrCodeOpen(code);
  return code;
}

export function isQrCodeOpen(code: Pick<QrCodeContentRow, 'status' | 'expiresAt'>): boolean {
  return ['ACTIVE', 'LOST'].includes(getCurrentQrCodeStatus(code));
}

/** @throws CODE_UNAVAILABLE */
export function assertQrCodeNotWithheld({ status }: Pick<QrCodeContentRow, 'status'>): void {
  if (status === WITHHELD_STATUS) throw new ServiceError('CODE_UNAVAILABLE');
}

/** @throws NOT_FOUND, CODE_UNAVAILABLE, CODE_UNCLAIMED, CODE_PAUSED, CODE_EXPIRED */
export function assertQrCodeOpen(code: Pick<QrCodeContentRow, 'status' | 'expiresAt' | 'contactable'>): void {
  assertQrCodeNotWithheld(code);
  if (isQrCodeOpen(code)) return;
  const status = getCurrentQrCodeStatus(code);
  const members = { contactable: code.contactable };
  if (status === 'PAUSED') throw new ServiceError('CODE_PAUSED', { members });
  if (status === 'EXPIRED') throw new ServiceError('CODE_EXPIRED', { members });
  if (status === 'UNCLAIMED') throw new ServiceError('CODE_UNCLAIMED');
  throw new ServiceError('NOT_FOUND');
}

/** @throws DATA_INTEGRITY */
export function getVisibleQrCodeContent(
  services: { fieldCipher: FieldCipher; publicBaseUrl: string },
  code: QrCodeContentRow,
  unlocked: boolean,
): VisibleQrCodeContent {
  const hasPin = code.pinHash !== null;
  const visibility = resolveFieldVisibilities(
    getQrCodeKindByName(code.kind),
    parseFieldVisibilities(code.visibility),
    hasPin,
  );
  const viewer = hasPin && unlocked ? 'PIN' : 'FINDER';
  const profile = filterVisibleFields(viewer, decryptQrCodeData(services.fieldCipher, code), visibility);
  const pictures = listVisiblePictures(services, code, viewer);
  return { profile, pictures, pinRequired: hasPin && !unlocked, contactable: code.contactable };
}

/** What everybody who scans learns about an open code beside its content. @throws DATA_INTEGRITY */
export function getQrCodeFacts(
  fieldCipher: FieldCipher,
  code: Pick<ScannedQrCode, 'id' | 'accountId' | 'kind' | 'status' | 'expiresAt' | 'lostDetails'>,
) {
  const status = getCurrentQrCodeStatus(code);
  const report = status === 'LOST' ? LOST_ITEM_REPORT.decrypt(fieldCipher, code) : null;
  const lost = report && { message: report.message, reward: report.reward, lastSeen: report.lastSeen };
  return { kind: code.kind, status, lost };
}

/** Any change of the code locks it again, also one during the comparison. */
export function isScanUnlocked(
  scan: { unlockedVersion: number | null },
  code: Pick<QrCodeContentRow, 'version'>,
): boolean {
  return scan.unlockedVersion === code.version;
}
