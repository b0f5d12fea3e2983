import type { FieldCipher } from '../../platform/field-cipher.ts';
import { defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { toCurrentEventName } from '../../shared/former-event-names.ts';
import { isId } from '../../shared/ids.ts';

/** Valid as long as the account or the conversation exists. */
const unsubscribeToken = defineSignedToken({
  purpose: 'unsubscribe',
  // A dot separates the parts of a token: the kind has a hyphen instead.
  parts: { subjectId: isId, mailKind: /^[\w-]+$/ },
  lifetimeSeconds: null,
});

/** Mails of one kind to a user or a conversation. */
export interface MailUnsubscribeSubject {
  subjectId: string;
  /** Name of an event, such as `message.created`. */
  mailKind: string;
}

/** Create a one-click unsubscribe URL (RFC 8058). */
export function createMailUnsubscribeUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  { subjectId, mailKind }: MailUnsubscribeSubject,
): string {
  const token = unsubscribeToken.create(fieldCipher, { subjectId, mailKind: mailKind.replace('.', '-') });
  return `${publicBaseUrl}/api/notifications/unsubscribe/${token}`;
}

/** Null for an invalid token. */
export function verifyMailUnsubscribeToken(
  fieldCipher: FieldCipher,
  token: string,
): MailUnsubscribeSubject | null {
  const subject = unsubscribeToken.verify(fieldCipher, token, {});
  return subject && { ...subject, mailKind: toCurrentEventName(subject.mailKind.replace('-', '.')) };
}
