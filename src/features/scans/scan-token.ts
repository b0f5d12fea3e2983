import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

interface TokenScan {
  id: string;
  scannedAt: Date;
}

/**
 * The token of a scan: an HMAC over its id and its end, seven days after the scan. Derived each time and stored
 * nowhere, so a repeated request gets the same.
 */
export function createScanToken(fieldCipher: FieldCipher, scan: TokenScan): string {
  return fieldCipher.hash('scan-token', scan.id, getTokenExpiry(scan).toISOString()).toString('base64url');
}

/** Whether a header holds the token of this scan, and the token has not ended. Compared in constant time. */
export function isScanToken(
  fieldCipher: FieldCipher,
  scan: TokenScan,
  header: string | string[] | undefined,
): boolean {
  if (typeof header !== 'string' || getTokenExpiry(scan) <= new Date()) return false;
  return timingSafeEquals(header, createScanToken(fieldCipher, scan));
}

function getTokenExpiry(scan: TokenScan): Date {
  return new Date(scan.scannedAt.getTime() + LIFETIMES_SECONDS.scanToken * 1000);
}
