import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

interface Scanned {
  id: string;
  scannedAt: Date;
}

/**
 * The token of a scan: an HMAC over its id and its end, seven days after the scan. Derived each time and stored
 * nowhere, so a repeated request gets the same.
 */
export function scanToken(fieldCipher: FieldCipher, scan: Scanned): string {
  return fieldCipher.hash('scan-token', scan.id, endOf(scan).toISOString()).toString('base64url');
}

/** Whether a header holds the token of this scan, and the token has not ended. Compared in constant time. */
export function opensScan(
  fieldCipher: FieldCipher,
  scan: Scanned,
  header: string | string[] | undefined,
): boolean {
  if (typeof header !== 'string' || endOf(scan) <= new Date()) return false;
  return timingSafeEquals(header, scanToken(fieldCipher, scan));
}

function endOf(scan: Scanned): Date {
  return new Date(scan.scannedAt.getTime() + LIFETIMES_SECONDS.scanToken * 1000);
}
