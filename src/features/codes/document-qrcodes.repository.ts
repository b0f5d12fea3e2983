import type { Db } from '../../platform/database.ts';

/** List the codes whose pages can offer documents, newest first. */
export async function listDocumentQrCodes(
  db: Db,
  accountId: string,
  take: number,
): Promise<{ id: string; title: string }[]> {
  return db.qrCode.findMany({
    where: { accountId, kind: 'DOCUMENT', status: { not: 'DELETED' } },
    select: { id: true, title: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });
}
