import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import { querySql, sql } from '../../../platform/sql.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';
import { MAX_OFFERED_DOCUMENTS_PER_CODE } from './share.rules.ts';

export type DocumentShareRow = Awaited<ReturnType<typeof insertDocumentShare>>;

export interface SharedDocument {
  id: string;
  documentId: string;
  accountId: string;
  qrCodeId: string | null;
  passcodeHash: string | null;
  maxViews: number | null;
  views: number;
  expiresAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  title: string;
  kind: string;
  contentType: string;
  size: number;
  isBeingChecked: boolean;
  ownerIsEnterprise: boolean;
}

export async function insertDocumentShare(
  tx: Tx,
  share: {
    id: string;
    documentId: string;
    accountId: string;
    qrCodeId: string | null;
    tokenHash: Uint8Array<ArrayBuffer>;
    passcodeHash: string | null;
    maxViews: number | null;
    expiresAt: Date | null;
  },
) {
  return tx.documentShare.create({ data: share, omit: { tokenHash: true } });
}

export async function listDocumentShares(
  db: Db,
  filter: { documentId: string; accountId: string },
  { skip, take, after }: ListRange,
): Promise<{ rows: DocumentShareRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.documentShare.findMany({
      where: { ...filter, ...createAfterFilter('createdAt', after) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      omit: { tokenHash: true },
      skip,
      take,
    }),
    db.documentShare.count({ where: filter }),
  ]);
  return { rows, total };
}

export async function findOwnDocumentShare(
  db: Db,
  filter: { id: string; documentId: string; accountId: string },
): Promise<DocumentShareRow | null> {
  return db.documentShare.findFirst({ where: filter, omit: { tokenHash: true } });
}

export async function countActiveDocumentShares(
  tx: Tx,
  { documentId, accountId }: { documentId: string; accountId: string },
): Promise<number> {
  const [row] = await querySql<{ count: number }>(tx)`
    SELECT count(*)::int AS count FROM document_shares AS share
    WHERE account_id = ${accountId} AND document_id = ${documentId} AND ${ACTIVE_SHARE_CONDITION}`;
  return row?.count ?? 0;
}

/** False if there is none, null if it had already ended. */
export async function endDocumentShare(
  tx: Tx,
  filter: { id: string; documentId: string; accountId: string },
): Promise<boolean | null> {
  const { count } = await tx.documentShare.updateMany({
    where: { ...filter, endedAt: null },
    data: { endedAt: new Date() },
  });
  if (count === 1) return true;
  return (await tx.documentShare.count({ where: filter })) === 1 ? null : false;
}

export async function findSharedDocumentByTokenHash(
  db: Db,
  tokenHash: Uint8Array,
): Promise<SharedDocument | null> {
  return (await selectSharedDocuments(db, sql`share.token_hash = ${tokenHash}`))[0] ?? null;
}

export async function findSharedDocument(db: Db, id: string): Promise<SharedDocument | null> {
  return (await selectSharedDocuments(db, sql`share.id = ${id}`))[0] ?? null;
}

export async function findActiveDocumentSharesByQrCode(db: Db, qrCodeId: string): Promise<SharedDocument[]> {
  return selectSharedDocuments(db, sql`share.qr_code_id = ${qrCodeId} AND ${ACTIVE_SHARE_CONDITION}`);
}

/** List the codes of the active shares of a document, of which some may be deleted. */
export async function listSharedQrCodeIds(
  db: Db,
  { documentId, accountId }: { documentId: string; accountId: string },
): Promise<string[]> {
  const rows = await querySql<{ qrCodeId: string }>(db)`
    SELECT DISTINCT code.id AS "qrCodeId"
    FROM document_shares AS share
    JOIN qr_codes AS code ON code.account_id = share.account_id AND code.id = share.qr_code_id
    WHERE share.account_id = ${accountId} AND share.document_id = ${documentId} AND ${ACTIVE_SHARE_CONDITION}
    ORDER BY 1`;
  return rows.map(({ qrCodeId }) => qrCodeId);
}

/** Count the active shares that a code offers, and those of one document, which may be deleted. */
export async function countOfferedShares(
  db: Db,
  { accountId, qrCodeId, documentId }: { accountId: string; qrCodeId: string; documentId: string },
): Promise<number> {
  const [row] = await querySql<{ count: number }>(db)`
    SELECT count(*)::int AS count FROM document_shares AS share
    JOIN documents AS document ON document.account_id = share.account_id AND document.id = share.document_id
    WHERE share.account_id = ${accountId} AND share.qr_code_id = ${qrCodeId} AND ${ACTIVE_SHARE_CONDITION}
      AND (document.deleted_at IS NULL OR document.id = ${documentId})`;
  return row?.count ?? 0;
}

const ACTIVE_SHARE_CONDITION = sql`share.ended_at IS NULL AND (share.expires_at IS NULL OR share.expires_at > now())
  AND (share.max_views IS NULL OR share.views < share.max_views)`;

// Only of active owners and of no code that is taken down: shared content must not outlast either.
async function selectSharedDocuments(db: Db, condition: Prisma.Sql): Promise<SharedDocument[]> {
  const rows = await querySql<Omit<SharedDocument, 'size'> & { size: bigint }>(db)`
    SELECT share.id, share.document_id AS "documentId", share.account_id AS "accountId", share.qr_code_id AS "qrCodeId",
           share.passcode_hash AS "passcodeHash", share.max_views AS "maxViews", share.views,
           share.expires_at AS "expiresAt", share.ended_at AS "endedAt", share.created_at AS "createdAt",
           document.title, document.kind, current.content_type AS "contentType", current.size,
           current.malware_check = 'WAITING' AS "isBeingChecked",
           account.enterprise_mode AS "ownerIsEnterprise"
    FROM document_shares AS share
    JOIN documents AS document ON document.id = share.document_id AND document.deleted_at IS NULL
    JOIN document_versions AS current ON current.document_id = document.id AND current.number = document.current_version
    JOIN accounts AS account ON account.id = share.account_id AND account.status = 'ACTIVE'
    WHERE ${condition}
      AND NOT EXISTS (SELECT FROM qr_codes WHERE qr_codes.id = share.qr_code_id AND taken_down_at IS NOT NULL)
    ORDER BY share.created_at DESC, share.id DESC LIMIT ${MAX_OFFERED_DOCUMENTS_PER_CODE}`;
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}
