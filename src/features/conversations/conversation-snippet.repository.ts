import type { Db } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';

export interface ConversationSnippetRow {
  conversationId: string;
  /** The newest message; null without one. */
  id: string | null;
  accountId: string;
  sender: string | null;
  content: Buffer | null;
  createdAt: Date | null;
  /** The newest place of its scans. */
  city: string | null;
  region: string | null;
  country: string | null;
}

/** Find the newest message and the newest place of each conversation of an account. */
export async function findConversationSnippets(
  db: Db,
  accountId: string,
  conversationIds: readonly string[],
): Promise<Map<string, ConversationSnippetRow>> {
  if (conversationIds.length === 0) return new Map();
  const rows = await querySql<ConversationSnippetRow>(db)`
    SELECT conversation.id AS "conversationId", conversation.account_id AS "accountId", message.id, message.sender,
           message.content, message.created_at AS "createdAt", place.city, place.region, place.country
    FROM conversations AS conversation
    LEFT JOIN LATERAL (
      SELECT id, sender, content, created_at FROM conversation_messages
      WHERE account_id = ${accountId} AND conversation_id = conversation.id
      ORDER BY created_at DESC, id DESC LIMIT 1) AS message ON true
    LEFT JOIN LATERAL (
      SELECT scan_id FROM conversation_messages
      WHERE account_id = ${accountId} AND conversation_id = conversation.id AND scan_id IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT 1) AS later ON true
    LEFT JOIN LATERAL (
      SELECT known.city, known.region, known.country FROM (
        SELECT city, region, country, created_at, id FROM scan_locations
        WHERE account_id = ${accountId} AND scan_id IN (conversation.scan_id, later.scan_id)
        UNION ALL
        SELECT city, region, country, scanned_at, '' FROM scans
        WHERE account_id = ${accountId} AND id IN (conversation.scan_id, later.scan_id) AND position IS NOT NULL) AS known
      ORDER BY known.created_at DESC, known.id DESC LIMIT 1) AS place ON true
    WHERE conversation.account_id = ${accountId} AND conversation.id = ANY(${[...conversationIds]}::text[])`;
  return new Map(rows.map((row) => [row.conversationId, row]));
}
