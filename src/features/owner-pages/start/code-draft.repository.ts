import type { Db, Tx } from '../../../platform/database.ts';

export interface CodeDraftRow {
  id: string;
  kind: string;
  content: Uint8Array<ArrayBuffer>;
}

/** Null for none, and for one that has expired. */
export async function findCodeDraft(
  db: Db,
  secretHash: Uint8Array<ArrayBuffer>,
): Promise<CodeDraftRow | null> {
  return db.codeDraft.findFirst({
    where: { secretHash, expiresAt: { gt: new Date() } },
    select: { id: true, kind: true, content: true },
  });
}

/** Null for none. */
export async function findCodeDraftPicture(db: Db, id: string): Promise<Uint8Array | null> {
  const row = await db.codeDraft.findFirst({ where: { id }, select: { picture: true } });
  return row?.picture ?? null;
}

/** False when the draft is gone. */
export async function updateCodeDraftPicture(
  db: Db,
  { id, picture }: { id: string; picture: Uint8Array<ArrayBuffer> | null },
): Promise<boolean> {
  const { count } = await db.codeDraft.updateMany({ where: { id }, data: { picture } });
  return count === 1;
}

export async function insertCodeDraft(
  tx: Tx,
  draft: CodeDraftRow & { secretHash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<void> {
  await tx.codeDraft.create({ data: draft, select: { id: true } });
}

/** False when it is gone. It lasts no longer than before. */
export async function updateCodeDraft(
  db: Db,
  { id, ...change }: CodeDraftRow & { picture?: null },
): Promise<boolean> {
  const { count } = await db.codeDraft.updateMany({ where: { id }, data: change });
  return count === 1;
}

export async function deleteCodeDraft(db: Db, id: string): Promise<void> {
  await db.codeDraft.deleteMany({ where: { id } });
}

export async function deleteExpiredCodeDrafts(db: Db): Promise<number> {
  const { count } = await db.codeDraft.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  return count;
}
