import type { Db, Tx } from '../../platform/database.ts';

export async function isFinderBlocked(
  db: Db,
  accountId: string,
  finderHash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  return (await db.blockedFinder.count({ where: { accountId, finderHash } })) > 0;
}

export async function insertFinderBlock(
  tx: Tx,
  accountId: string,
  finderHash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { count } = await tx.blockedFinder.createMany({
    data: [{ accountId, finderHash }],
    skipDuplicates: true,
  });
  return count === 1;
}

export async function deleteFinderBlock(
  tx: Tx,
  accountId: string,
  finderHash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { count } = await tx.blockedFinder.deleteMany({ where: { accountId, finderHash } });
  return count === 1;
}

export async function findBlockedFinderConversationIds(
  db: Db,
  accountId: string,
  conversations: readonly { id: string; finderHash: Uint8Array<ArrayBuffer> }[],
): Promise<Set<string>> {
  const hashes = conversations.map(({ finderHash }) => finderHash);
  const rows = await db.blockedFinder.findMany({ where: { accountId, finderHash: { in: hashes } } });
  const blocked = new Set(rows.map(({ finderHash }) => Buffer.from(finderHash).toString('hex')));
  const matchesConversation = ({ finderHash }: { finderHash: Uint8Array }) =>
    blocked.has(Buffer.from(finderHash).toString('hex'));
  return new Set(conversations.filter(matchesConversation).map(({ id }) => id));
}
