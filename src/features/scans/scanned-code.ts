import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  decryptQrCodeData,
  filterVisibleFields,
  findQrCode,
  getCurrentStatus,
  getQrCodeKind,
  parseVisibility,
  type QrCodeRow,
  resolveVisibility,
} from '../codes/index.ts';
import type { ScanPlace } from './scan-position.ts';

export type VisibleCode = Pick<
  QrCodeRow,
  | 'id'
  | 'ownerId'
  | 'kind'
  | 'status'
  | 'expiresAt'
  | 'data'
  | 'visibility'
  | 'pinHash'
  | 'contactable'
  | 'version'
>;

export type ScannedCode = VisibleCode & Pick<QrCodeRow, 'title' | 'lostDetails' | 'showsPage'>;

export type CodeWithNotificationSettings = ScannedCode &
  Pick<QrCodeRow, 'notifyOn'> & {
    ownerTimeZone: string;
    /** Up to a minute old for cached codes. */
    ownerBlocks: boolean;
  };

export interface VisibleContent {
  /** In display order; null when there is none. */
  profile: Record<string, unknown> | null;
  pinRequired: boolean;
  contactable: boolean;
}

export interface RecordedScan {
  id: string;
  scannedAt: Date;
  code: ScannedCode;
  content: VisibleContent;
  location: ScanPlace | null;
}

/** @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED */
export async function getOpenCode(db: Db, id: string): Promise<ScannedCode> {
  const code = await findQrCode(db, id);
  if (!code) throw new ServiceError('NOT_FOUND');
  assertCodeOpen(code);
  return code;
}

export function isCodeOpen(code: Pick<VisibleCode, 'status' | 'expiresAt'>): boolean {
  return ['ACTIVE', 'LOST'].includes(getCurrentStatus(code));
}

/** @throws NOT_FOUND, CODE_UNCLAIMED, CODE_PAUSED, CODE_EXPIRED */
export function assertCodeOpen(code: Pick<VisibleCode, 'status' | 'expiresAt' | 'contactable'>): void {
  if (isCodeOpen(code)) return;
  const status = getCurrentStatus(code);
  const members = { contactable: code.contactable };
  if (status === 'PAUSED') throw new ServiceError('CODE_PAUSED', { members });
  if (status === 'EXPIRED') throw new ServiceError('CODE_EXPIRED', { members });
  if (status === 'UNCLAIMED') throw new ServiceError('CODE_UNCLAIMED');
  throw new ServiceError('NOT_FOUND');
}

/** @throws DATA_INTEGRITY */
export function getVisibleContent(
  fieldCipher: FieldCipher,
  code: VisibleCode,
  unlocked: boolean,
): VisibleContent {
  const hasPin = code.pinHash !== null;
  const visibility = resolveVisibility(getQrCodeKind(code.kind), parseVisibility(code.visibility), hasPin);
  const profile = filterVisibleFields(
    hasPin && unlocked ? 'pin' : 'finder',
    decryptQrCodeData(fieldCipher, code),
    visibility,
  );
  return { profile, pinRequired: hasPin && !unlocked, contactable: code.contactable };
}

/** Any change of the code locks it again, also one during the comparison. */
export function isScanUnlocked(
  scan: { unlockedVersion: number | null },
  code: Pick<VisibleCode, 'version'>,
): boolean {
  return scan.unlockedVersion === code.version;
}
