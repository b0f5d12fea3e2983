import { findOpenSessions } from '../../platform/authentication.repository.ts';
import { getErrorReason } from '../../platform/error-reason.ts';
import { WEBSOCKET_CLOSE_CODES } from '../../platform/http/websocket.ts';
import { createPreparedReader } from '../../platform/sql-readers.ts';
import { findUnexpiredConversationIds } from '../conversations/conversation.repository.ts';
import type { Connection, Listener } from './connection.ts';
import { mayListen } from './let-listen.ts';
import type { RealtimeServices } from './realtime-services.ts';

/**
 * Closes sockets whose session was ended, by whatever process, or whose conversation is gone: all of them are looked at in
 * one statement each. Calls that come while one is under way are one further.
 */
export function createAccessWatch(
  { database, enterpriseForAll, log }: RealtimeServices,
  connections: ReadonlySet<Connection>,
) {
  const read = createPreparedReader(database);
  let under: Promise<void> | null = null;
  let isDue = false;
  let isAway = false;

  function check(): void {
    isDue = true;
    under ??= checkAll().finally(() => (under = null));
  }

  async function checkAll(): Promise<void> {
    while (isDue) {
      isDue = false;
      try {
        await checkOnce();
        isAway = false;
      } catch (error) {
        if (!isAway)
          log.warn({ reason: getErrorReason(error) }, 'realtime: sessions cannot be looked at, tried again');
        isAway = true;
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
    const found = sessions.size > 0 ? await findOpenSessions(read, [...sessions], enterpriseForAll) : [];
    const isGood = new Set(found.filter(mayListen).map(({ sessionId }) => sessionId));
    const kept =
      conversations.size > 0
        ? await findUnexpiredConversationIds(database.client, [...conversations])
        : new Set();
    for (const { connection, by } of open) {
      const isLetIn = by.side === 'ACCOUNT' ? isGood.has(by.sessionId) : kept.has(by.conversationId);
      if (!isLetIn && isSame(connection.listener, by))
        connection.close(WEBSOCKET_CLOSE_CODES.unauthenticated, 'not let in any more');
    }
  }

  return {
    check,
    async stop() {
      isDue = false;
      await under;
    },
  };
}

/** It may have shown a token of another session meanwhile. */
function isSame(now: Listener | null, then: Listener): boolean {
  return now?.side !== 'ACCOUNT' || then.side !== 'ACCOUNT' || now.sessionId === then.sessionId;
}
