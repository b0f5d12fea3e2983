import { findOpenSessions } from '../../platform/authentication.repository.ts';
import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import { WEBSOCKET_CLOSE_CODES } from '../../platform/http/websocket.ts';
import { listOrganizationMemberships } from '../../platform/membership.repository.ts';
import { ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';
import { findUnexpiredConversationIds } from '../conversations/index.ts';
import { canSessionSubscribe } from './authorize-subscription.ts';
import type { AuthorizedListener, SocketConnection } from './connection.ts';
import type { OrganizationSockets } from './organization-sockets.ts';
import type { RealtimeServices } from './realtime-services.ts';

/**
 * Close sockets whose session has ended or whose conversation is gone, and find for which organizations the others get events,
 * with one query each for all. Concurrent calls are coalesced.
 */
export function createSocketAccessMonitor(
  { database, isEnterpriseEnforced, log }: RealtimeServices,
  connections: ReadonlySet<SocketConnection>,
  organizations: Pick<OrganizationSockets, 'replace'>,
) {
  let running: Promise<void> | null = null;
  let isDue = false;
  let isFailing = false;

  function check(): void {
    isDue = true;
    running ??= checkAll().finally(() => (running = null));
  }

  async function checkAll(): Promise<void> {
    while (isDue) {
      isDue = false;
      try {
        await checkOnce();
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.warn({ reason: getErrorCodeOrName(error) }, 'realtime: sessions cannot be checked, retrying');
        isFailing = true;
      }
    }
  }

  async function checkOnce(): Promise<void> {
    const open = [...connections].flatMap((connection) =>
      connection.listener ? [{ connection, listener: connection.listener }] : [],
    );
    const sessions = new Set<string>();
    const userIds = new Set<string>();
    const conversations = new Set<string>();
    for (const { listener } of open)
      if (listener.side === 'ACCOUNT') {
        sessions.add(listener.sessionId);
        userIds.add(listener.userId);
      } else conversations.add(listener.conversationId);
    const found =
      sessions.size > 0 ? await findOpenSessions(database.pool, [...sessions], isEnterpriseEnforced) : [];
    const allowedSessionIds = new Set(found.filter(canSessionSubscribe).map(({ sessionId }) => sessionId));
    const memberships =
      userIds.size > 0
        ? await listOrganizationMemberships(database.pool, [...userIds], ROLES_BY_TOPIC.SCANS)
        : [];
    organizations.replace(memberships, connections);
    const existingConversations =
      conversations.size > 0
        ? await findUnexpiredConversationIds(database.client, [...conversations])
        : new Set();
    for (const { connection, listener } of open) {
      const isAuthorized =
        listener.side === 'ACCOUNT'
          ? allowedSessionIds.has(listener.sessionId)
          : existingConversations.has(listener.conversationId);
      if (!isAuthorized && isSameSession(connection.listener, listener))
        connection.close(WEBSOCKET_CLOSE_CODES.unauthenticated, 'access revoked');
    }
  }

  return {
    check,
    async stop() {
      isDue = false;
      await running;
    },
  };
}

// The socket may have been authenticated with another session in the meantime.
function isSameSession(current: AuthorizedListener | null, previous: AuthorizedListener): boolean {
  return (
    current?.side !== 'ACCOUNT' || previous.side !== 'ACCOUNT' || current.sessionId === previous.sessionId
  );
}
