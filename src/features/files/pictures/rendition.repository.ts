import type { Db, Tx } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateRandomName } from '../../../shared/ids.ts';
import type { RenditionFormat, RenditionWidth } from './rendition.rules.ts';

/** A size and format of a picture. */
export interface RenditionKey {
  pictureId: string;
  width: RenditionWidth;
  format: RenditionFormat;
}

/** One that is drawn: its file. */
export interface Rendition {
  fileId: string;
  size: number;
}

/** Seconds that somebody has to draw one; then whoever asks may begin anew. Longer than any drawing and its wait. */
const CLAIM_SECONDS = 30;

/** What is drawn already; null where it is not, or not yet. */
export async function findRendition(
  db: Db,
  { pictureId, width, format }: RenditionKey,
): Promise<Rendition | null> {
  const [row] = await db.$queryRaw<Rendition[]>`
    SELECT file.id AS "fileId", file.size::int AS size
    FROM picture_renditions AS rendition JOIN stored_files AS file ON file.id = rendition.file_id
    WHERE rendition.picture_id = ${pictureId} AND rendition.width = ${width} AND rendition.format = ${format}
      AND file.state = 'STORED'`;
  return row ?? null;
}

/** Claims the drawing: a word of one's own, or null where another draws it or has drawn it. Throws NOT_FOUND once the picture is gone. */
export async function claimRendition(
  db: Db,
  { pictureId, width, format }: RenditionKey,
): Promise<string | null> {
  const claim = generateRandomName(16);
  // The picture is held, or one that is deleted meanwhile would be missed by the foreign key.
  const [found] = await db.$queryRaw<{ isClaimed: boolean }[]>`
    WITH picture AS MATERIALIZED (
      SELECT id FROM memory_tag_pictures WHERE id = ${pictureId} FOR KEY SHARE
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

/** Gives a claim back, so that the next who asks need not wait for its end. */
export async function releaseRendition(db: Db, claim: string, key: RenditionKey): Promise<void> {
  await db.pictureRendition.deleteMany({ where: { ...key, claim, fileId: null } });
}

/** Names the file of a claimed drawing; false where the claim ended, or the picture is gone. */
export async function storeRenditionFile(
  tx: Tx,
  claim: string,
  key: RenditionKey,
  fileId: string,
): Promise<boolean> {
  // Whoever deletes the picture waits, and sees this file then.
  await tx.$executeRaw`SELECT FROM memory_tag_pictures WHERE id = ${key.pictureId} FOR KEY SHARE`;
  const { count } = await tx.pictureRendition.updateMany({
    where: { ...key, claim, fileId: null },
    data: { fileId },
  });
  return count === 1;
}
