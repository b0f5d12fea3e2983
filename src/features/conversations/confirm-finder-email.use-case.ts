import { recordAuditEntry } from '../../platform/audit.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type ConversationRow, confirmFinderEmail } from './conversation.repository.ts';
import type { ConversationServices } from './conversation-services.ts';
import { lockConversationByConfirmationToken } from './finder-email-confirmation.ts';

type Services = Pick<ConversationServices, 'database' | 'fieldCipher'>;

/** Find the conversation whose address a token confirms; null for an invalid token or a changed address. */
export function findConversationByConfirmationToken(
  { database, fieldCipher }: Services,
  token: string,
): Promise<ConversationRow | null> {
  return database.transaction((tx) => lockConversationByConfirmationToken(fieldCipher, tx, token));
}

/** Confirm the address that a token names. A repeat changes nothing. Null as in `findConversationByConfirmationToken` */
export function confirmFinderEmailByToken(
  { database, fieldCipher }: Services,
  context: RequestContext,
  token: string,
): Promise<ConversationRow | null> {
  return database.transaction(async (tx) => {
    const row = await lockConversationByConfirmationToken(fieldCipher, tx, token);
    if (row && (await confirmFinderEmail(tx, row)))
      await recordAuditEntry(tx, context, { resourceId: row.id });
    return row;
  });
}
