import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import { openData } from '../qrcodes/encrypted-content.ts';
import { findQrCode, type QrCodeRow } from '../qrcodes/qrcode.repository.ts';
import { currentStatus, kindOf } from '../qrcodes/qrcode.view.ts';
import { givenVisibility, resolveVisibility, visibleTo } from '../qrcodes/visibility.rules.ts';
import type { Location } from './scan-position.ts';

/** What of a code decides whether and what it shows. */
export type ShownCode = Pick<
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
export type ScannedCode = ShownCode & Pick<QrCodeRow, 'title' | 'lostDetails' | 'showsPage'>;

/** The same with what decides whether its owner hears of a scan. */
export type TellingCode = ScannedCode &
  Pick<QrCodeRow, 'notifyOn'> & {
    ownerTimeZone: string;
    /** Whether the owner blocks any finder; of a code that is known, up to a minute ago. */
    ownerBlocks: boolean;
  };

/** What a scan shows of a code. */
export interface Shown {
  /** The fields that the owner allows, in the order of display; null where there is none. */
  profile: Record<string, unknown> | null;
  /** Whether a PIN would show more, and is missing. */
  pinRequired: boolean;
  contactable: boolean;
}

/** A scan that was stored, and what it shows of which code. */
export interface Recorded {
  id: string;
  scannedAt: Date;
  code: ScannedCode;
  shown: Shown;
  /** Where it was, as far as it is kept. */
  location: Location | null;
}

/** A code that can be scanned. Throws NOT_FOUND (unknown or deleted), CODE_PAUSED, CODE_EXPIRED. */
export async function findOpenCode(db: Db, id: string): Promise<ScannedCode> {
  const code = await findQrCode(db, id);
  if (!code) throw new ServiceError('NOT_FOUND');
  refuseClosed(code);
  return code;
}

/** Whether a code can be scanned at this moment. */
export function isOpen(code: Pick<ShownCode, 'status' | 'expiresAt'>): boolean {
  return ['ACTIVE', 'LOST'].includes(currentStatus(code));
}

/** Throws NOT_FOUND, CODE_UNCLAIMED, CODE_PAUSED or CODE_EXPIRED for a code that shows nothing at this moment. */
export function refuseClosed(code: Pick<ShownCode, 'status' | 'expiresAt' | 'contactable'>): void {
  if (isOpen(code)) return;
  const status = currentStatus(code);
  const members = { contactable: code.contactable };
  if (status === 'PAUSED') throw new ServiceError('CODE_PAUSED', { members });
  if (status === 'EXPIRED') throw new ServiceError('CODE_EXPIRED', { members });
  if (status === 'UNCLAIMED') throw new ServiceError('CODE_UNCLAIMED');
  throw new ServiceError('NOT_FOUND');
}

/** What a code shows to whoever has given the right PIN (`unlocked`) or has not. Throws DATA_INTEGRITY. */
export function showCode(fieldCipher: FieldCipher, code: ShownCode, unlocked: boolean): Shown {
  const hasPin = code.pinHash !== null;
  const visibility = resolveVisibility(kindOf(code.kind), givenVisibility(code.visibility), hasPin);
  const profile = visibleTo(hasPin && unlocked ? 'pin' : 'finder', openData(fieldCipher, code), visibility);
  return { profile, pinRequired: hasPin && !unlocked, contactable: code.contactable };
}

/**
 * Whether a scan shows what is behind the PIN: it was given for this version of the code. Any change of the code, such as
 * another PIN, locks it again, also one that was under way while the PIN was compared.
 */
export function isUnlocked(
  scan: { unlockedVersion: number | null },
  code: Pick<ShownCode, 'version'>,
): boolean {
  return scan.unlockedVersion === code.version;
}
