import { findOpenSessions } from '../../platform/authentication.repository.ts';
import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import { WEBSOCKET_CLOSE_CODES } from '../../platform/http/websocket.ts';
import { listOrganizationMemberships } from '../../platform/membership.repository.ts';
import { ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';
import { findUnexpiredConversationIds } from '../conversations/index.ts';
import { canSessionSubscribe } from './authorize-subscription.ts';
import type { AuthorizedListener, SocketConnection } from './connection.ts';
import type { OrganizationSockets } from './organization-sockets.ts';
import type { PresenceTracker } from './presence.ts';
import type { RealtimeServices } from './realtime-services.ts';

interface WatchedSockets {
  connections: ReadonlySet<SocketConnection>;
  organizations: Pick<OrganizationSockets, 'replace'>;
  presence: Pick<PresenceTracker, 'listWatched' | 'unwatch'>;
}

/**
 * Close sockets whose session has ended or whose conversation is gone, and find for which organizations the others get events,
 * with one query each for all. Who no longer acts for an organization watches none of its conversations. Concurrent calls are
 * coalesced.
 */
export function createSocketAccessMonitor(
  { database, isEnterpriseEnforced, log }: RealtimeServices,
  { connections, organizations, presence }: WatchedSockets,
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
    await checkMemberships([...userIds]);
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

  async function checkMemberships(userIds: readonly string[]): Promise<void> {
    // Before the query: whoever begins to watch meanwhile was checked for it.
    const watched = presence.listWatched();
    const memberships =
      userIds.length > 0
        ? await listOrganizationMemberships(database.pool, userIds, isEnterpriseEnforced)
        : [];
    organizations.replace(
      memberships.filter(({ role }) => ROLES_BY_TOPIC.SCANS.includes(role)),
      connections,
    );
    const readers = memberships.filter(({ role }) => ROLES_BY_TOPIC.MESSAGES.includes(role));
    const readable = new Set(readers.map(({ accountId, userId }) => `${accountId} ${userId}`));
    for (const { connection, accountId, conversationId } of watched) {
      const { listener } = connection;
      if (listener?.side !== 'ACCOUNT' || listener.userId === accountId) continue;
      if (!readable.has(`${accountId} ${listener.userId}`)) presence.unwatch(connection, conversationId);
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
