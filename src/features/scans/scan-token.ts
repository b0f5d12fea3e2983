import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

interface TokenScan {
  id: string;
  scannedAt: Date;
}

/** HMAC over id and expiry, valid for seven days; not stored, so repeated requests derive the same one. */
export function deriveScanToken(fieldCipher: FieldCipher, scan: TokenScan): string {
  return fieldCipher.hash('scan-token', scan.id, getTokenExpiry(scan).toISOString()).toString('base64url');
}

export function isValidScanToken(
  fieldCipher: FieldCipher,
  scan: TokenScan,
  header: string | string[] | undefined,
): boolean {
  if (typeof header !== 'string' || getTokenExpiry(scan) <= new Date()) return false;
  return timingSafeEquals(header, deriveScanToken(fieldCipher, scan));
}

function getTokenExpiry(scan: TokenScan): Date {
  return new Date(scan.scannedAt.getTime() + LIFETIMES_SECONDS.scanToken * 1000);
}
