import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';

/** Create the one-click URL (RFC 8058) that stops all mails which anybody can cause to an address. */
export function createSuppressionUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: Pick<FieldCipher, 'hash'>; publicBaseUrl: string },
  recipientHash: Buffer,
): string {
  const token = `${recipientHash.toString('base64url')}.${signRecipient(fieldCipher, recipientHash)}`;
  return `${publicBaseUrl}/api/mails/suppress/${token}`;
}

/** Verify a token in constant time; returns the keyed hash of the address, or null. */
export function verifySuppressionToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> | null {
  const [hash = '', signature = ''] = token.split('.');
  const recipientHash = Buffer.from(hash, 'base64url');
  return timingSafeEquals(signature, signRecipient(fieldCipher, recipientHash)) ? recipientHash : null;
}

function signRecipient(fieldCipher: Pick<FieldCipher, 'hash'>, recipientHash: Buffer): string {
  return fieldCipher.hash('mail-suppression', recipientHash.toString('base64url')).toString('base64url');
}
