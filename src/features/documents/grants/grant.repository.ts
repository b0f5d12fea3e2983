import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { generateId } from '../../../shared/ids.ts';
import type { TimeCursor } from '../../../shared/time-cursor.ts';
import type { AgentDescription } from '../../scans/index.ts';

/** A grant as the table holds it, for its owner. */
export type DocumentGrantRow = Awaited<ReturnType<typeof insertDocumentGrant>>;

/** A grant with what it gives, for whom it was given to. */
export interface ReceivedDocumentRow {
  id: string;
  documentId: string;
  ownerId: string;
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

/** Adds a grant. */
export async function insertDocumentGrant(
  tx: Tx,
  grant: {
    id: string;
    documentId: string;
    ownerId: string;
    email: Uint8Array<ArrayBuffer>;
    emailHash: Uint8Array<ArrayBuffer>;
  },
) {
  return tx.documentGrant.create({ data: grant, omit: { emailHash: true } });
}

/** The grant of a document to an address; null where there is none. */
export async function findDocumentGrantByEmail(
  tx: Tx,
  documentId: string,
  emailHash: Uint8Array<ArrayBuffer>,
): Promise<DocumentGrantRow | null> {
  return tx.documentGrant.findFirst({ where: { documentId, emailHash }, omit: { emailHash: true } });
}

/** How many people a document is given to. */
export async function countDocumentGrants(tx: Tx, documentId: string): Promise<number> {
  return tx.documentGrant.count({ where: { documentId } });
}

/** A page of the grants of a document, newest first, and how many there are. */
export async function listDocumentGrants(
  db: Db,
  of: { documentId: string; ownerId: string },
  page: { skip: number; take: number },
): Promise<{ rows: DocumentGrantRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.documentGrant.findMany({
      where: of,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      omit: { emailHash: true },
      ...page,
    }),
    db.documentGrant.count({ where: of }),
  ]);
  return { rows, total };
}

/** Takes a grant back; false where the owner has none of this id. */
export async function deleteDocumentGrant(
  tx: Tx,
  of: { id: string; documentId: string; ownerId: string },
): Promise<boolean> {
  return (await tx.documentGrant.deleteMany({ where: of })).count === 1;
}

/** Gives a document back that was given to an address; the document, or null where there is no such grant. */
export async function deleteReceivedGrant(tx: Tx, id: string, emailHash: Uint8Array): Promise<string | null> {
  const rows = await tx.$queryRaw<{ documentId: string }[]>`
    DELETE FROM document_grants WHERE id = ${id} AND email_hash = ${emailHash}
    RETURNING document_id AS "documentId"`;
  return rows[0]?.documentId ?? null;
}

/** Forgets what was given to an address: its person is erased. */
export async function deleteDocumentGrantsByEmail(tx: Tx, emailHash: Uint8Array): Promise<void> {
  await tx.$executeRaw`DELETE FROM document_grants WHERE email_hash = ${emailHash}`;
}

/** A document that was given to an address; null where there is no such grant. */
export async function findReceivedDocument(
  db: Db,
  id: string,
  emailHash: Uint8Array,
): Promise<ReceivedDocumentRow | null> {
  return (await selectReceivedDocuments(db, emailHash, Prisma.sql`AND given.id = ${id}`, 1))[0] ?? null;
}

/** What was given to an address after a place in the list, newest first. */
export async function listReceivedDocuments(
  db: Db,
  emailHash: Uint8Array,
  after: TimeCursor | null,
  take: number,
): Promise<ReceivedDocumentRow[]> {
  const beyond = after
    ? Prisma.sql`AND (given.created_at, given.id) < (${after.at}, ${after.id})`
    : Prisma.empty;
  return selectReceivedDocuments(db, emailHash, beyond, take);
}

/** Notes that somebody read what was given to them; false where it was taken back meanwhile. */
export async function insertRecipientAccess(
  tx: Tx,
  grantId: string,
  reading: { readerId: string; versionNumber: number; agent: AgentDescription },
): Promise<boolean> {
  const { readerId, versionNumber, agent } = reading;
  const noted = await tx.$executeRaw`
    INSERT INTO document_accesses (id, document_id, owner_id, reader_id, version_number, device, os, browser)
    SELECT ${generateId()}, document_id, owner_id, ${readerId}, ${versionNumber}, ${agent.device}, ${agent.os}, ${agent.browser}
    FROM document_grants WHERE id = ${grantId}`;
  return noted === 1;
}

/** Of owners who may use the service: what was put here to be spread must not outlast a suspension. */
async function selectReceivedDocuments(
  db: Db,
  emailHash: Uint8Array,
  condition: Prisma.Sql,
  take: number,
): Promise<ReceivedDocumentRow[]> {
  const rows = await db.$queryRaw<(Omit<ReceivedDocumentRow, 'size'> & { size: bigint })[]>`
    SELECT given.id, given.document_id AS "documentId", given.owner_id AS "ownerId", document.title, document.kind,
           newest.content_type AS "contentType", newest.size, newest.number AS version,
           document.expires_on AS "expiresOn", owner.first_name AS "firstName", owner.last_name AS "lastName",
           owner.organization_name AS "organizationName", given.created_at AS "createdAt"
    FROM document_grants AS given
    JOIN documents AS document ON document.id = given.document_id
    JOIN document_versions AS newest ON newest.document_id = document.id AND newest.number = document.current_version
    JOIN users AS owner ON owner.id = given.owner_id AND owner.status = 'ACTIVE'
    WHERE given.email_hash = ${emailHash} ${condition}
    ORDER BY given.created_at DESC, given.id DESC LIMIT ${take}`;
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}
