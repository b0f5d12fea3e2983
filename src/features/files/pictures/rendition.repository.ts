import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateRandomAlphanumeric } from '../../../shared/ids.ts';
import type { RenditionFormat, RenditionWidth } from './rendition.rules.ts';

export interface RenditionKey {
  pictureId: string;
  width: RenditionWidth;
  format: RenditionFormat;
}

export interface RenditionFile {
  fileId: string;
  size: number;
}

/** Longer than any drawing and its wait; afterwards another request may claim it. */
const CLAIM_SECONDS = 30;

export async function findRendition(
  db: Db,
  accountId: string,
  { pictureId, width, format }: RenditionKey,
): Promise<RenditionFile | null> {
  const [row] = await querySql<RenditionFile>(db)`
    SELECT file.id AS "fileId", file.size::int AS size
    FROM picture_renditions AS rendition JOIN stored_files AS file ON file.id = rendition.file_id
    WHERE rendition.picture_id = ${pictureId} AND rendition.width = ${width} AND rendition.format = ${format}
      AND file.account_id = ${accountId} AND file.state = 'STORED'`;
  return row ?? null;
}

/**
 * Claim the drawing of a rendition; null when it is claimed or drawn.
 * @throws NOT_FOUND when the picture was deleted
 */
export async function claimRendition(
  db: Db,
  accountId: string,
  { pictureId, width, format }: RenditionKey,
): Promise<string | null> {
  const claim = generateRandomAlphanumeric(16);
  // Locks the picture: the foreign key would fail when it is deleted meanwhile.
  const [found] = await querySql<{ isClaimed: boolean }>(db)`
    WITH picture AS MATERIALIZED (
      SELECT id FROM pictures WHERE account_id = ${accountId} AND id = ${pictureId} FOR KEY SHARE
    ), claimed AS (
      INSERT INTO picture_renditions AS known (picture_id, width, format, claim)
      SELECT id, ${width}, ${format}, ${claim} FROM picture
      ON CONFLICT (picture_id, width, format) DO UPDATE SET claim = excluded.claim, claimed_at = now()
      WHERE known.file_id IS NULL AND known.claimed_at < now() - make_interval(secs => ${CLAIM_SECONDS})
      RETURNING picture_id
    )
    SELECT EXISTS (SELECT FROM claimed) AS "isClaimed" FROM picture`;
  if (!found) throw new ServiceError('NOT_FOUND');
  return found.isClaimed ? claim : null;
}

/** Release a claim before it expires. */
export async function releaseRenditionClaim(db: Db, claim: string, key: RenditionKey): Promise<void> {
  await db.pictureRendition.deleteMany({ where: { ...key, claim, fileId: null } });
}

/** Store the file of a claimed rendition; false when the claim expired or the picture was deleted. */
export async function attachRenditionFile(
  tx: Tx,
  claim: string,
  key: RenditionKey,
  file: { id: string; accountId: string },
): Promise<boolean> {
  // A concurrent delete of the picture waits, then sees this file.
  await executeSql(tx)`
    SELECT FROM pictures WHERE account_id = ${file.accountId} AND id = ${key.pictureId} FOR KEY SHARE`;
  const { count } = await tx.pictureRendition.updateMany({
    where: { ...key, claim, fileId: null },
    data: { fileId: file.id },
  });
  return count === 1;
}
