import type { FieldCipher } from '../../platform/field-cipher.ts';
import { defineSignedToken } from '../../shared/crypto/signed-token.ts';

/** Valid as long as the service has its secret: the address has no account. */
const suppressionToken = defineSignedToken({
  purpose: 'mail-suppression',
  parts: { recipientHash: /^[\w-]+$/ },
  lifetimeSeconds: null,
});

/** Create the one-click URL (RFC 8058) that stops all mails which anybody can cause to an address. */
export function createSuppressionUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: Pick<FieldCipher, 'hash'>; publicBaseUrl: string },
  recipientHash: Buffer,
): string {
  const token = suppressionToken.create(fieldCipher, { recipientHash: recipientHash.toString('base64url') });
  return `${publicBaseUrl}/api/mails/suppress/${token}`;
}

/** Verify a token; returns the keyed hash of the address, or null. */
export function verifySuppressionToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> | null {
  const verified = suppressionToken.verify(fieldCipher, token, {});
  return verified && Buffer.from(verified.recipientHash, 'base64url');
}
