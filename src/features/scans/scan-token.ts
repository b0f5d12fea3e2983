import type { FieldCipher } from '../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** The same for repeated requests: the expiry follows from the time of the scan. */
const scanToken = defineSignedToken({
  purpose: 'scan-token',
  parts: { scanId: CONTEXT },
  lifetimeSeconds: CONTEXT,
});

interface TokenScan {
  id: string;
  scannedAt: Date;
}

export function deriveScanToken(fieldCipher: FieldCipher, scan: TokenScan): string {
  return scanToken.create(fieldCipher, toContext(scan));
}

export function isValidScanToken(
  fieldCipher: FieldCipher,
  scan: TokenScan,
  header: string | string[] | undefined,
): boolean {
  return scanToken.verify(fieldCipher, header, toContext(scan)) !== null;
}

function toContext({ id, scannedAt }: TokenScan) {
  return { scanId: id, expiresAt: new Date(scannedAt.getTime() + LIFETIMES_SECONDS.scanToken * 1000) };
}
