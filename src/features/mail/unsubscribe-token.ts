import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';

/** Which mails to end: those of a kind to a subject, which is a user or a conversation. */
export interface UnsubscribeSubject {
  subjectId: string;
  mailKind: string;
}

/**
 * Create the one-click unsubscribe address of a kind of mails (RFC 8058): the subject, the kind and a keyed hash over
 * both. Derived each time and stored nowhere; valid as long as the account or the conversation exists.
 */
export function createUnsubscribeUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  { subjectId, mailKind }: UnsubscribeSubject,
): string {
  const token = `${subjectId}.${mailKind}.${computeSignature(fieldCipher, subjectId, mailKind)}`;
  return `${publicBaseUrl}/api/notifications/unsubscribe/${token}`;
}

/** Verify an unsubscribe token in constant time; null for one that was not made here. */
export function verifyUnsubscribeToken(fieldCipher: FieldCipher, token: string): UnsubscribeSubject | null {
  const [subjectId = '', mailKind = '', receivedSignature = ''] = token.split('.');
  return timingSafeEquals(receivedSignature, computeSignature(fieldCipher, subjectId, mailKind))
    ? { subjectId, mailKind }
    : null;
}

function computeSignature(fieldCipher: FieldCipher, subjectId: string, mailKind: string): string {
  return fieldCipher.hash('unsubscribe', subjectId, mailKind).toString('base64url');
}
