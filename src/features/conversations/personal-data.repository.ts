import type { Db } from '../../platform/database.ts';

/** Find conversations by id, latest message first, with their messages and notes, oldest first, and the owner's report. */
export async function findConversationsByIds(db: Db, accountId: string, ids: string[]) {
  return db.conversation.findMany({
    where: { accountId, id: { in: ids } },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    include: {
      messages: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      notes: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      reports: { where: { side: 'OWNER' } },
      account: { select: { language: true } },
    },
  });
}
