import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql } from '../../../platform/sql.ts';
import { createTimeSort } from '../../../shared/list-cursor.ts';
import type { TimeCursor } from '../../../shared/time-cursor.ts';
import type { UserAgentDescription } from '../../scans/index.ts';

/** The order of accesses. */
export const LAST_READ_FIRST = createTimeSort(
  '-readAt',
  ({ readAt }: { id: string; readAt: Date }) => readAt,
);

export interface ShareAccessRow {
  id: string;
  shareId: string;
  accountId: string;
  documentId: string;
  versionNumber: number;
  readAt: Date;
  expiresAt: Date | null;
}

/** One statement, so that concurrent requests cannot exceed the limit. */
export async function countViewAndInsertShareAccess(
  tx: Tx,
  shareId: string,
  access: { id: string; agent: UserAgentDescription },
): Promise<boolean> {
  const { id, agent } = access;
  const insertedCount = await executeSql(tx)`
    WITH counted AS (
      UPDATE document_shares AS share SET views = share.views + 1, last_opened_at = clock_timestamp()
      FROM documents AS document
      WHERE share.id = ${shareId} AND share.ended_at IS NULL
        AND (share.expires_at IS NULL OR share.expires_at > clock_timestamp())
        AND (share.max_views IS NULL OR share.views < share.max_views)
        AND document.id = share.document_id AND document.deleted_at IS NULL
      RETURNING share.id, share.document_id, share.account_id, document.current_version
    )
    INSERT INTO document_accesses (id, document_id, account_id, share_id, version_number, device, os, browser, read_at)
    SELECT ${id}, document_id, account_id, counted.id, current_version,
           ${agent.device}, ${agent.os}, ${agent.browser}, clock_timestamp()
    FROM counted`;
  return insertedCount === 1;
}

/** Exclude ended shares, deleted documents, those of codes that are taken down, and inactive owners. */
export async function findShareAccess(db: Db, id: string): Promise<ShareAccessRow | null> {
  const row = await db.documentAccess.findFirst({
    where: {
      id,
      share: { endedAt: null, OR: [{ qrCodeId: null }, { qrCode: { takenDownAt: null } }] },
      account: { status: 'ACTIVE' },
      document: { deletedAt: null },
    },
    include: { share: { select: { id: true, expiresAt: true } } },
  });
  if (!row?.share) return null;
  const { accountId, documentId, versionNumber, readAt, share } = row;
  return { id, shareId: share.id, accountId, documentId, versionNumber, readAt, expiresAt: share.expiresAt };
}

export async function listDocumentAccesses(
  db: Db,
  filter: { documentId: string; accountId: string },
  after: TimeCursor | null,
  take: number,
) {
  return db.documentAccess.findMany({
    where: {
      ...filter,
      ...(after && {
        OR: [{ readAt: { lt: after.at } }, { readAt: after.at, id: { lt: after.id } }],
      }),
    },
    orderBy: [{ readAt: 'desc' }, { id: 'desc' }],
    include: {
      reader: { select: { firstName: true, lastName: true, organizationName: true, accountType: true } },
    },
    take,
  });
}
