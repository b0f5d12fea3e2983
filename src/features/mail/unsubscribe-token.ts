import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';

/** Mails of one kind to a user or a conversation. */
export interface MailUnsubscribeSubject {
  subjectId: string;
  mailKind: string;
}

/**
 * Create a one-click unsubscribe URL (RFC 8058): subject, kind and a keyed hash of both. It is not stored,
 * and is valid as long as the account or the conversation exists.
 */
export function createMailUnsubscribeUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  { subjectId, mailKind }: MailUnsubscribeSubject,
): string {
  const token = `${subjectId}.${mailKind}.${computeSignature(fieldCipher, subjectId, mailKind)}`;
  return `${publicBaseUrl}/api/notifications/unsubscribe/${token}`;
}

/** Verify an unsubscribe token in constant time; null when invalid. */
export function verifyMailUnsubscribeToken(
  fieldCipher: FieldCipher,
  token: string,
): MailUnsubscribeSubject | null {
  const [subjectId = '', mailKind = '', receivedSignature = ''] = token.split('.');
  return timingSafeEquals(receivedSignature, computeSignature(fieldCipher, subjectId, mailKind))
    ? { subjectId, mailKind }
    : null;
}

function computeSignature(fieldCipher: FieldCipher, subjectId: string, mailKind: string): string {
  return fieldCipher.hash('unsubscribe', subjectId, mailKind).toString('base64url');
}
