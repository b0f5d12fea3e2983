import { findOpenSessions } from '../../platform/authentication.repository.ts';
import { getErrorReason } from '../../platform/error-reason.ts';
import { WEBSOCKET_CLOSE_CODES } from '../../platform/http/websocket.ts';
import { createPreparedReader } from '../../platform/sql-readers.ts';
import { findUnexpiredConversationIds } from '../conversations/index.ts';
import { canSubscribe } from './authorize-subscription.ts';
import type { RealtimeListener, SocketConnection } from './connection.ts';
import type { RealtimeServices } from './realtime-services.ts';

/**
 * Closes sockets whose session was ended, by whatever process, or whose conversation is gone: all of them are looked at in
 * one statement each. Calls that come while one is under way are one further.
 */
export function createAccessMonitor(
  { database, isEnterpriseEnforced, log }: RealtimeServices,
  connections: ReadonlySet<SocketConnection>,
) {
  const read = createPreparedReader(database);
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
          log.warn({ reason: getErrorReason(error) }, 'realtime: sessions cannot be looked at, tried again');
        isFailing = true;
      }
    }
  }

  async function checkOnce(): Promise<void> {
    const open = [...connections].flatMap((connection) =>
      connection.listener ? [{ connection, by: connection.listener }] : [],
    );
    const sessions = new Set<string>();
    const conversations = new Set<string>();
    for (const { by } of open)
      if (by.side === 'ACCOUNT') sessions.add(by.sessionId);
      else conversations.add(by.conversationId);
    const found = sessions.size > 0 ? await findOpenSessions(read, [...sessions], isEnterpriseEnforced) : [];
    const isGood = new Set(found.filter(canSubscribe).map(({ sessionId }) => sessionId));
    const existingConversations =
      conversations.size > 0
        ? await findUnexpiredConversationIds(database.client, [...conversations])
        : new Set();
    for (const { connection, by } of open) {
      const isAuthorized =
        by.side === 'ACCOUNT' ? isGood.has(by.sessionId) : existingConversations.has(by.conversationId);
      if (!isAuthorized && isSameSession(connection.listener, by))
        connection.close(WEBSOCKET_CLOSE_CODES.unauthenticated, 'not let in any more');
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

/** It may have shown a token of another session meanwhile. */
function isSameSession(now: RealtimeListener | null, then: RealtimeListener): boolean {
  return now?.side !== 'ACCOUNT' || then.side !== 'ACCOUNT' || now.sessionId === then.sessionId;
}
