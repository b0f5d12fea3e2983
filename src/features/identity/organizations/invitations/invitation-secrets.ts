import { createHash, randomBytes } from 'node:crypto';
import { defineColumnCipher } from '../../../../platform/column-cipher.ts';
import type { FieldCipher } from '../../../../platform/field-cipher.ts';
import { identityCatalogue } from '../../catalogue.ts';

export const INVITATION_EMAIL = defineColumnCipher(identityCatalogue, 'invitations.email').of<string>();

/** A keyed hash can be found without being readable in the table. */
export function hashInvitedEmail(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('invited-email', email);
}

export function generateInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashInvitationToken(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}
