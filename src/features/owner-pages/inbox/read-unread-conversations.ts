import type { Static } from 'typebox';
import { getActingAccount } from '../../../platform/acting-account.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import {
  type ConversationSchema,
  createOwnerConversationViewer,
  listConversations,
} from '../../conversations/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

/**
 * Read the conversations with unread messages that were written in last; they stay unread. Those about medical codes have
 * no text here.
 */
export async function readUnreadConversations(
  services: Pick<OwnerPageServices, 'database' | 'fieldCipher'>,
  context: RequestContext,
  user: Pick<CurrentUser, 'account' | 'language'>,
  take: number,
): Promise<Static<typeof ConversationSchema>[]> {
  const range = { skip: 0, take, after: null };
  const { rows } = await listConversations(
    services.database.client,
    getActingAccount(user).id,
    { isUnread: true, isDone: false },
    range,
  );
  return rows.map(await createOwnerConversationViewer(services, context, user, rows));
}
