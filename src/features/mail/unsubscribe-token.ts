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

interface UnsubscribeServices {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

/** Create a one-click unsubscribe URL (RFC 8058). */
export function createMailUnsubscribeUrl(
  services: UnsubscribeServices,
  subject: MailUnsubscribeSubject,
): string {
  return `${services.publicBaseUrl}/api/notifications/unsubscribe/${createToken(services, subject)}`;
}

/** Create the one-click URL of a mail to a user, and that of the page for its text where there are pages for owners. */
export function createUserUnsubscribeUrls(
  services: UnsubscribeServices & { ownerPagesUrl: string | null },
  subject: MailUnsubscribeSubject,
): { unsubscribeUrl: string; unsubscribePageUrl?: string } {
  const unsubscribeUrl = createMailUnsubscribeUrl(services, subject);
  const { ownerPagesUrl } = services;
  if (ownerPagesUrl === null) return { unsubscribeUrl };
  const unsubscribePageUrl = `${ownerPagesUrl}/unsubscribe/${createToken(services, subject)}`;
  return { unsubscribeUrl, unsubscribePageUrl };
}

function createToken({ fieldCipher }: UnsubscribeServices, subject: MailUnsubscribeSubject): string {
  const { subjectId, mailKind } = subject;
  return unsubscribeToken.create(fieldCipher, { subjectId, mailKind: mailKind.replace('.', '-') });
}

/** Null for an invalid token. */
export function verifyMailUnsubscribeToken(
  fieldCipher: FieldCipher,
  token: string,
): MailUnsubscribeSubject | null {
  const subject = unsubscribeToken.verify(fieldCipher, token, {});
  return subject && { ...subject, mailKind: toCurrentEventName(subject.mailKind.replace('-', '.')) };
}
