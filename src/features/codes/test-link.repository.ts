import { createHash } from 'node:crypto';
import type { Db, Tx } from '../../platform/database.ts';

export async function insertTestLink(
  tx: Tx,
  link: { tokenHash: Uint8Array<ArrayBuffer>; qrCodeId: string; expiresAt: Date },
): Promise<void> {
  await tx.testLink.create({ data: link, select: { qrCodeId: true } });
}

export async function consumeTestLink(
  tx: Tx,
  tokenHash: Uint8Array,
): Promise<{ qrCodeId: string; ownerId: string } | null> {
  const rows = await tx.$queryRaw<{ qrCodeId: string; ownerId: string }[]>`
    UPDATE test_links AS link SET used_at = now()
    FROM qr_codes AS code
    WHERE link.token_hash = ${tokenHash} AND link.used_at IS NULL AND link.expires_at > now()
      AND code.id = link.qr_code_id
    RETURNING link.qr_code_id AS "qrCodeId", code.owner_id AS "ownerId"`;
  return rows[0] ?? null;
}

export async function deleteExpiredTestLinks(db: Db, before: Date): Promise<number> {
  const { count } = await db.testLink.deleteMany({ where: { expiresAt: { lt: before } } });
  return count;
}

export function hashTestLinkToken(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}
