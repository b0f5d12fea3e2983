import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';

interface Scanned {
  id: string;
  scannedAt: Date;
}

/**
 * The token of a scan: an HMAC over its id and its end, seven days after the scan. Derived each time and stored
 * nowhere, so a repeated request gets the same.
 */
export function scanToken(vault: Vault, scan: Scanned): string {
  return vault.hash('scan-token', scan.id, endOf(scan).toISOString()).toString('base64url');
}

/** Whether a header holds the token of this scan, and the token has not ended. Compared in constant time. */
export function opensScan(vault: Vault, scan: Scanned, header: string | string[] | undefined): boolean {
  if (typeof header !== 'string' || endOf(scan) <= new Date()) return false;
  return sameBytes(header, scanToken(vault, scan));
}

function endOf(scan: Scanned): Date {
  return new Date(scan.scannedAt.getTime() + LIFETIMES.scanToken * 1000);
}
