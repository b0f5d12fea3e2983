import type { FieldCipher } from '../../platform/field-cipher.ts';
import { defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { isId } from '../../shared/ids.ts';

/** Valid as long as the account or the conversation exists. */
const unsubscribeToken = defineSignedToken({
  purpose: 'unsubscribe',
  parts: { subjectId: isId, mailKind: /^\w+$/ },
  lifetimeSeconds: null,
});

/** Mails of one kind to a user or a conversation. */
export interface MailUnsubscribeSubject {
  subjectId: string;
  mailKind: string;
}

/** Create a one-click unsubscribe URL (RFC 8058). */
export function createMailUnsubscribeUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  subject: MailUnsubscribeSubject,
): string {
  return `${publicBaseUrl}/api/notifications/unsubscribe/${unsubscribeToken.create(fieldCipher, subject)}`;
}

/** Null for an invalid token. */
export function verifyMailUnsubscribeToken(
  fieldCipher: FieldCipher,
  token: string,
): MailUnsubscribeSubject | null {
  return unsubscribeToken.verify(fieldCipher, token, {});
}
