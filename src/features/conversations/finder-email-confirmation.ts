import { tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { scaleByAddress, truncateIpAddress } from '../../shared/client-address.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { isId } from '../../shared/ids.ts';
import type { MailOutbox } from '../mail/index.ts';
import { type ConversationRow, lockConversation } from './conversation.repository.ts';
import type { AddressConfirmation } from './conversation-services.ts';
import { FINDER_EMAIL } from './encrypted-conversation-fields.ts';

/** Confirmation mails that a network may cause, to whatever addresses. */
const MAX_CONFIRMATIONS_PER_HOUR = 20;

/** Valid as long as the conversation has this address. */
export const confirmationToken = defineSignedToken({
  purpose: 'finder-email-confirmation',
  parts: { conversationId: isId, email: CONTEXT },
  lifetimeSeconds: null,
});

interface ConfirmationServices {
  fieldCipher: FieldCipher;
  mailOutbox: MailOutbox;
  publicBaseUrl: string;
}

/** Consume one of the confirmation mails of a network; false when none is left. */
export async function tryConsumeConfirmationMail(
  fieldCipher: FieldCipher,
  { address }: RequestContext,
  tx: Tx,
): Promise<boolean> {
  const network = fieldCipher.hash('confirmation-budget', truncateIpAddress(address)).toString('base64url');
  const key = `address-confirmations:${network}`;
  return tryConsumeAttempt(tx, {
    key,
    allowed: scaleByAddress(address, MAX_CONFIRMATIONS_PER_HOUR),
    windowSeconds: HOUR_SECONDS,
  });
}

/** Enqueue a mail that has no text of the client: until its link is used the address gets nothing else. */
export async function enqueueAddressConfirmationMail(
  { fieldCipher, mailOutbox, publicBaseUrl }: ConfirmationServices,
  tx: Tx,
  { conversationId, email: to, language, isAllowed }: AddressConfirmation,
): Promise<void> {
  const token = confirmationToken.create(fieldCipher, { conversationId, email: to });
  await mailOutbox.enqueue(tx, {
    template: 'CONFIRM_ADDRESS',
    to,
    values: { link: `${publicBaseUrl}/api/conversations/confirm-email/${token}` },
    language,
    isDiscarded: !isAllowed,
  });
}

/** Lock the conversation whose address a token confirms; null for an invalid token or a changed address. */
export async function lockConversationByConfirmationToken(
  fieldCipher: FieldCipher,
  tx: Tx,
  token: string,
): Promise<ConversationRow | null> {
  const parsed = confirmationToken.parse(token);
  const row = parsed && (await lockConversation(tx, parsed.conversationId));
  const email = row && FINDER_EMAIL.decrypt(fieldCipher, row);
  return email && confirmationToken.verify(fieldCipher, token, { email }) ? row : null;
}
