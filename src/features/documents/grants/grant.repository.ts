import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import { generateId } from '../../../shared/ids.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';
import type { TimeCursor } from '../../../shared/time-cursor.ts';
import type { UserAgentDescription } from '../../scans/index.ts';

export type DocumentGrantRow = Awaited<ReturnType<typeof insertDocumentGrant>>;

export interface ReceivedDocumentRow {
  id: string;
  documentId: string;
  accountId: string;
  title: string;
  kind: string;
  contentType: string;
  size: number;
  version: number;
  expiresOn: Date | null;
  firstName: string | null;
  lastName: string | null;
  organizationName: string | null;
  createdAt: Date;
}

export async function insertDocumentGrant(
  tx: Tx,
  grant: {
    id: string;
    documentId: string;
    accountId: string;
    email: Uint8Array<ArrayBuffer>;
    emailHash: Uint8Array<ArrayBuffer>;
  },
) {
  return tx.documentGrant.create({ data: grant, omit: { emailHash: true } });
}

export async function findDocumentGrantByEmailHash(
  tx: Tx,
  document: { documentId: string; accountId: string },
  emailHash: Uint8Array<ArrayBuffer>,
): Promise<DocumentGrantRow | null> {
  return tx.documentGrant.findFirst({ where: { ...document, emailHash }, omit: { emailHash: true } });
}

export async function countDocumentGrants(
  tx: Tx,
  document: { documentId: string; accountId: string },
): Promise<number> {
  return tx.documentGrant.count({ where: document });
}

export async function listDocumentGrants(
  db: Db,
  filter: { documentId: string; accountId: string },
  { skip, take, after }: ListRange,
): Promise<{ rows: DocumentGrantRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.documentGrant.findMany({
      where: { ...filter, ...createAfterFilter('createdAt', after) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      omit: { emailHash: true },
      skip,
      take,
    }),
    db.documentGrant.count({ where: filter }),
  ]);
  return { rows, total };
}

export async function findOwnDocumentGrant(
  db: Db,
  filter: { id: string; documentId: string; accountId: string },
): Promise<DocumentGrantRow | null> {
  return db.documentGrant.findFirst({ where: filter, omit: { emailHash: true } });
}

export async function deleteDocumentGrant(
  tx: Tx,
  filter: { id: string; documentId: string; accountId: string },
): Promise<boolean> {
  return (await tx.documentGrant.deleteMany({ where: filter })).count === 1;
}

/** Return the document id. */
export async function deleteReceivedDocumentGrant(
  tx: Tx,
  id: string,
  emailHash: Uint8Array,
): Promise<string | null> {
  const rows = await querySql<{ documentId: string }>(tx)`
    DELETE FROM document_grants WHERE id = ${id} AND email_hash = ${emailHash}
    RETURNING document_id AS "documentId"`;
  return rows[0]?.documentId ?? null;
}

export async function deleteDocumentGrantsByEmailHash(tx: Tx, emailHash: Uint8Array): Promise<void> {
  await executeSql(tx)`DELETE FROM document_grants WHERE email_hash = ${emailHash}`;
}

export async function findReceivedDocument(
  db: Db,
  id: string,
  emailHash: Uint8Array,
): Promise<ReceivedDocumentRow | null> {
  return (await selectReceivedDocuments(db, emailHash, sql`AND document_grant.id = ${id}`, 1))[0] ?? null;
}

export async function listReceivedDocuments(
  db: Db,
  emailHash: Uint8Array,
  after: TimeCursor | null,
  take: number,
): Promise<ReceivedDocumentRow[]> {
  const afterCursor = after
    ? sql`AND (document_grant.created_at, document_grant.id) < (${after.at}, ${after.id})`
    : Prisma.empty;
  return selectReceivedDocuments(db, emailHash, afterCursor, take);
}

/** False if the grant was revoked in the meantime. */
export async function insertReceivedDocumentAccess(
  tx: Tx,
  grant: { id: string; accountId: string },
  access: { readerId: string; versionNumber: number; agent: UserAgentDescription },
): Promise<boolean> {
  const { readerId, versionNumber, agent } = access;
  const insertedCount = await executeSql(tx)`
    INSERT INTO document_accesses (id, document_id, account_id, reader_id, version_number, device, os, browser)
    SELECT ${generateId()}, document_id, account_id, ${readerId}, ${versionNumber}, ${agent.device}, ${agent.os}, ${agent.browser}
    FROM document_grants WHERE account_id = ${grant.accountId} AND id = ${grant.id}`;
  return insertedCount === 1;
}

// Only of active owners: shared content must not outlast a suspension.
async function selectReceivedDocuments(
  db: Db,
  emailHash: Uint8Array,
  condition: Prisma.Sql,
  take: number,
): Promise<ReceivedDocumentRow[]> {
  const rows = await querySql<Omit<ReceivedDocumentRow, 'size'> & { size: bigint }>(db)`
    SELECT document_grant.id, document_grant.document_id AS "documentId", document_grant.account_id AS "accountId", document.title, document.kind,
           current.content_type AS "contentType", current.size, current.number AS version,
           document.expires_on AS "expiresOn", owner.first_name AS "firstName", owner.last_name AS "lastName",
           coalesce(account.name, owner.organization_name) AS "organizationName", document_grant.created_at AS "createdAt"
    FROM document_grants AS document_grant
    JOIN documents AS document ON document.id = document_grant.document_id AND document.deleted_at IS NULL
    JOIN document_versions AS current ON current.document_id = document.id AND current.number = document.current_version
    JOIN accounts AS account ON account.id = document_grant.account_id AND account.status = 'ACTIVE'
    LEFT JOIN users AS owner ON owner.id = account.user_id
    WHERE document_grant.email_hash = ${emailHash} ${condition}
    ORDER BY document_grant.created_at DESC, document_grant.id DESC LIMIT ${take}`;
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}
