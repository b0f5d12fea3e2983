import { createHash, randomBytes } from 'node:crypto';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { querySql, sql } from '../../platform/sql.ts';

/** `<random>.<access epoch of the user>`; the stored hash covers both. */
const TEST_LINK_PATTERN = /^[\w-]{43}\.(\d{1,9})$/;

export async function createTestLinkToken(tx: Tx, userId: string): Promise<string> {
  const { accessEpoch } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { accessEpoch: true },
  });
  return `${randomBytes(32).toString('base64url')}.${accessEpoch}`;
}

export async function insertTestLink(
  tx: Tx,
  link: { tokenHash: Uint8Array<ArrayBuffer>; qrCodeId: string; userId: string; expiresAt: Date },
): Promise<void> {
  await tx.testLink.create({ data: link, select: { qrCodeId: true } });
}

export interface ConsumedTestLink {
  qrCodeId: string;
  /** The personal account of the user who made the link. */
  accountId: string;
  accessEpoch: number;
}

/** Find the code of a link that can be consumed; null without one. */
export async function findTestLinkCodeId(db: Db, token: string): Promise<string | null> {
  const rows = await querySql<{ qrCodeId: string }>(db)`
    SELECT link.qr_code_id AS "qrCodeId" FROM ${joinUsableTestLink(token)}`;
  return rows[0]?.qrCodeId ?? null;
}

/** Consume a link; null if it is invalid, or its user has lost access since. */
export async function consumeTestLink(tx: Tx, token: string): Promise<ConsumedTestLink | null> {
  const rows = await querySql<ConsumedTestLink>(tx)`
    UPDATE test_links AS consumed SET used_at = now() FROM ${joinUsableTestLink(token)}
      AND consumed.token_hash = link.token_hash AND consumed.used_at IS NULL
    RETURNING consumed.qr_code_id AS "qrCodeId", link.user_id AS "accountId", maker.access_epoch AS "accessEpoch"`;
  return rows[0] ?? null;
}

function joinUsableTestLink(token: string): Prisma.Sql {
  const tokenAccessEpoch = Number(TEST_LINK_PATTERN.exec(token)?.[1] ?? -1);
  return sql`test_links AS link JOIN qr_codes AS code ON code.id = link.qr_code_id
    JOIN memberships AS membership ON membership.account_id = code.account_id AND membership.user_id = link.user_id
    JOIN users AS maker ON maker.id = link.user_id
    WHERE link.token_hash = ${hashTestLinkToken(token)} AND link.used_at IS NULL AND link.expires_at > now()
      AND maker.access_epoch = ${tokenAccessEpoch}`;
}

/** Delete the links that a user made for codes of an account. */
export async function deleteTestLinksOfMember(
  tx: Tx,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  await tx.testLink.deleteMany({ where: { userId, qrCode: { accountId } } });
}

export async function deleteExpiredTestLinks(db: Db, before: Date): Promise<number> {
  const { count } = await db.testLink.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}

export function hashTestLinkToken(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}
