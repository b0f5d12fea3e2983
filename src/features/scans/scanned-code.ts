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

/** What of a code decides whether and what it shows. */
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

/** The same with what its owner calls it, and what else its page needs. */
export type ScannedCode = VisibleCode & Pick<QrCodeRow, 'title' | 'lostDetails' | 'showsPage'>;

/** The same with what decides whether its owner hears of a scan. */
export type CodeWithNotificationSettings = ScannedCode &
  Pick<QrCodeRow, 'notifyOn'> & {
    ownerTimeZone: string;
    /** Whether the owner blocks any finder; of a code that is known, up to a minute ago. */
    ownerBlocks: boolean;
  };

/** What a scan shows of a code. */
export interface VisibleContent {
  /** The fields that the owner allows, in the order of display; null where there is none. */
  profile: Record<string, unknown> | null;
  /** Whether a PIN would show more, and is missing. */
  pinRequired: boolean;
  contactable: boolean;
}

/** A scan that was stored, and what it shows of which code. */
export interface RecordedScan {
  id: string;
  scannedAt: Date;
  code: ScannedCode;
  shown: VisibleContent;
  /** Where it was, as far as it is kept. */
  location: ScanPlace | null;
}

/** A code that can be scanned. Throws NOT_FOUND (unknown or deleted), CODE_PAUSED, CODE_EXPIRED. */
export async function getOpenCode(db: Db, id: string): Promise<ScannedCode> {
  const code = await findQrCode(db, id);
  if (!code) throw new ServiceError('NOT_FOUND');
  assertCodeOpen(code);
  return code;
}

/** Whether a code can be scanned at this moment. */
export function isCodeOpen(code: Pick<VisibleCode, 'status' | 'expiresAt'>): boolean {
  return ['ACTIVE', 'LOST'].includes(getCurrentStatus(code));
}

/** Throws NOT_FOUND, CODE_UNCLAIMED, CODE_PAUSED or CODE_EXPIRED for a code that shows nothing at this moment. */
export function assertCodeOpen(code: Pick<VisibleCode, 'status' | 'expiresAt' | 'contactable'>): void {
  if (isCodeOpen(code)) return;
  const status = getCurrentStatus(code);
  const members = { contactable: code.contactable };
  if (status === 'PAUSED') throw new ServiceError('CODE_PAUSED', { members });
  if (status === 'EXPIRED') throw new ServiceError('CODE_EXPIRED', { members });
  if (status === 'UNCLAIMED') throw new ServiceError('CODE_UNCLAIMED');
  throw new ServiceError('NOT_FOUND');
}

/** What a code shows to whoever has given the right PIN (`unlocked`) or has not. Throws DATA_INTEGRITY. */
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

/**
 * Whether a scan shows what is behind the PIN: it was given for this version of the code. Any change of the code, such as
 * another PIN, locks it again, also one that was under way while the PIN was compared.
 */
export function isScanUnlocked(
  scan: { unlockedVersion: number | null },
  code: Pick<VisibleCode, 'version'>,
): boolean {
  return scan.unlockedVersion === code.version;
}
