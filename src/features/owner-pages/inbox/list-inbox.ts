import { createTimeSort, type ListRange, toTimePosition } from '../../../shared/list-cursor.ts';
import {
  type ConversationRow,
  listConversations,
  listScansWithoutMessage,
  type ScanWithoutMessage,
} from '../../conversations/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

export type InboxRow = { id: string; at: Date } & (
  | { conversation: ConversationRow; scan?: never }
  | { conversation?: never; scan: ScanWithoutMessage }
);

export const INBOX_ORDER = createTimeSort('-at', ({ at }: InboxRow) => at);

export interface InboxFilter {
  qrCodeId?: string | undefined;
  isDone?: boolean | undefined;
  /** The id of a user, or null for conversations of nobody. */
  assigneeId?: string | null | undefined;
}

/**
 * List conversations, and scans with a place whose finder has not written, newest first. Whose scan it was is not known, so
 * it is an entry of its own.
 */
export async function listInbox(
  services: Pick<OwnerPageServices, 'database' | 'findRetentionStart'>,
  accountId: string,
  { qrCodeId, isDone, assigneeId }: InboxFilter,
  range: ListRange,
): Promise<InboxRow[]> {
  const { client, pool } = services.database;
  const listScans = async () => {
    const from = await services.findRetentionStart(client, accountId);
    const after = toTimePosition(range.after);
    return listScansWithoutMessage(pool, accountId, { qrCodeId, from }, { after, take: range.take });
  };
  const [conversations, scans] = await Promise.all([
    listConversations(client, accountId, { qrCodeId, isDone, assigneeId }, range),
    // Nobody can mark them as done, or answer them.
    isDone || assigneeId !== undefined ? [] : listScans(),
  ]);
  const rows = [
    ...conversations.rows.map((conversation) => ({
      id: conversation.id,
      at: conversation.lastMessageAt,
      conversation,
    })),
    ...scans.map((scan) => ({ id: scan.id, at: scan.scannedAt, scan })),
  ];
  return rows
    .toSorted((one, other) => +other.at - +one.at || (one.id < other.id ? 1 : -1))
    .slice(0, range.take);
}
