import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasAccountRolePermission } from '../../../permissions.ts';
import { countConversationsWithUnreadMessages } from '../../conversations/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How many conversations have unread messages, on the pages of an account. */
    unreadConversations: number;
  }
}

/** Count for the navigation of each page of an account how many conversations have unread messages. */
export function countUnreadConversations(
  app: FastifyInstance,
  services: Pick<OwnerPageServices, 'database'>,
): void {
  app.decorateRequest('unreadConversations', 0);
  app.addHook('preHandler', async (request) => {
    const isOfAccount = Reflect.get(Object(request.params), 'accountId') !== undefined;
    // Not for pictures.
    if (!isOfAccount || request.routeOptions.config.rateLimitClass === 'static') return;
    await recountUnreadConversations(services, request);
  });
}

/** Count again after messages were marked as read. */
export async function recountUnreadConversations(
  { database }: Pick<OwnerPageServices, 'database'>,
  request: FastifyRequest,
): Promise<void> {
  const { account } = request.user ?? {};
  if (
    !account ||
    account.folderIds !== null ||
    !hasAccountRolePermission(account.role, 'conversations:own', 'GET')
  )
    return;
  request.unreadConversations = await countConversationsWithUnreadMessages(database.client, account.id);
}
