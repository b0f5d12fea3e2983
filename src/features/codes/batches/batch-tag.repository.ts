import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import type { BatchKey } from './batch.repository.ts';

export interface NewTag {
  position: number;
  qrCodeId: string;
  shortNumber: string;
  title: string;
  slug: string;
  imageFile: string;
  data: Uint8Array;
  claimCode: Uint8Array | null;
}

export interface NewTagCodes extends BatchKey {
  kind: string;
  design: Record<string, unknown>;
  adjusted: readonly Record<string, unknown>[];
  pageDesign: unknown;
}

/** Insert the tags of a batch with their codes and numbers: three statements for any number of them. */
export async function insertTags(tx: Tx, batch: NewTagCodes, tags: readonly NewTag[]): Promise<void> {
  const rows = JSON.stringify(
    tags.map(({ data, claimCode, ...tag }) => ({
      ...tag,
      data: Buffer.from(data).toString('hex'),
      claimCode: claimCode && Buffer.from(claimCode).toString('hex'),
    })),
  );
  await executeSql(tx)`
    INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design, adjusted, page_design, image_file, status)
    SELECT "qrCodeId", ${batch.accountId}, ${batch.kind}, 'DYNAMIC', title, slug, decode(data, 'hex'), '{}',
           ${JSON.stringify(batch.design)}::jsonb, ${JSON.stringify(batch.adjusted)}::jsonb,
           ${JSON.stringify(batch.pageDesign)}::jsonb, "imageFile", 'UNCLAIMED'
    FROM jsonb_to_recordset(${rows}::jsonb) AS input ("qrCodeId" text, title text, slug text, data text, "imageFile" text)`;
  await executeSql(tx)`
    INSERT INTO short_numbers (number, qr_code_id)
    SELECT "shortNumber", "qrCodeId" FROM jsonb_to_recordset(${rows}::jsonb) AS input ("shortNumber" text, "qrCodeId" text)`;
  await executeSql(tx)`
    INSERT INTO batch_tags (account_id, batch_id, position, qr_code_id, short_number, title, claim_code)
    SELECT ${batch.accountId}, ${batch.id}, position, "qrCodeId", "shortNumber", title, decode("claimCode", 'hex')
    FROM jsonb_to_recordset(${rows}::jsonb)
      AS input (position integer, "qrCodeId" text, "shortNumber" text, title text, "claimCode" text)`;
}

/** Numbers of tags, both inclusive. */
export interface TagRange {
  from: number;
  to: number;
}

export interface BatchTagRow {
  position: number;
  qrCodeId: string;
  shortNumber: string;
  claimCode: Uint8Array | null;
  /** That of the code before it was claimed. */
  title: string;
  printedAt: Date | null;
  handedOutAt: Date | null;
  scannedAt: Date | null;
  claimedAt: Date | null;
  deleted: boolean;
}

/** List tags of a batch by their numbers. A claimed code belongs to another account: nothing of it is read. */
export async function listBatchTags(
  db: Db,
  { accountId, id }: BatchKey,
  { from, to }: TagRange,
  take: number,
): Promise<BatchTagRow[]> {
  return querySql<BatchTagRow>(db)`
    SELECT tag.position, tag.qr_code_id AS "qrCodeId", tag.short_number AS "shortNumber", CASE WHEN tag.claimed_at IS NULL THEN tag.claim_code END AS "claimCode",
           tag.title, tag.printed_at AS "printedAt", tag.handed_out_at AS "handedOutAt",
           tag.scanned_at AS "scannedAt", tag.claimed_at AS "claimedAt",
           (tag.claimed_at IS NULL AND code.id IS NULL) AS deleted
    FROM batch_tags AS tag
    LEFT JOIN qr_codes AS code
      ON code.id = tag.qr_code_id AND code.account_id = ${accountId} AND code.status = 'UNCLAIMED' AND tag.claimed_at IS NULL
    WHERE tag.account_id = ${accountId} AND tag.batch_id = ${id} AND tag.position BETWEEN ${from} AND ${to}
    ORDER BY tag.position LIMIT ${take}`;
}

/** Find the design of the images of a batch. */
export async function findBatchDesign(
  db: Db,
  { accountId, id }: BatchKey,
): Promise<{ design: Record<string, unknown> } | null> {
  const row = await db.batch.findFirst({ where: { accountId, id }, select: { design: true } });
  return row && (row.design as { design: Record<string, unknown> });
}

export async function countTagsInRange(
  db: Db,
  { accountId, id }: BatchKey,
  { from, to }: TagRange,
): Promise<number> {
  const [row] = await querySql<{ total: number }>(db)`
    SELECT count(*)::int AS total FROM batch_tags
    WHERE account_id = ${accountId} AND batch_id = ${id} AND position BETWEEN ${from} AND ${to}`;
  return row?.total ?? 0;
}

const MARKS = {
  printed: { time: sql`printed_at`, count: sql`printed` },
  handedOut: { time: sql`handed_out_at`, count: sql`handed_out` },
};

/** Mark tags as printed or handed out, or no longer; claimed ones stay. The batch counts them. */
export async function markTags(
  db: Db | Tx,
  { accountId, id }: BatchKey,
  { from, to }: TagRange,
  mark: keyof typeof MARKS,
  isMarked: boolean,
): Promise<void> {
  const { time, count } = MARKS[mark];
  const markedAt = isMarked ? new Date() : null;
  await executeSql(db)`
    WITH marked AS (
      UPDATE batch_tags SET ${time} = ${markedAt}
      WHERE account_id = ${accountId} AND batch_id = ${id} AND position BETWEEN ${from} AND ${to}
        AND claimed_at IS NULL AND (${time} IS NULL) = ${isMarked}
      RETURNING 1
    )
    UPDATE batches SET ${count} = ${count} + ${isMarked ? 1 : -1} * (SELECT count(*)::int FROM marked)
    WHERE account_id = ${accountId} AND id = ${id}`;
}

/** Mark the tags of codes that a print sheet has as printed. */
export async function markPrintedCodes(
  tx: Tx,
  accountId: string,
  qrCodeIds: readonly string[],
): Promise<void> {
  await executeSql(tx)`
    WITH marked AS (
      UPDATE batch_tags SET printed_at = now()
      WHERE account_id = ${accountId} AND qr_code_id = ANY (${[...qrCodeIds]}::text[]) AND printed_at IS NULL
      RETURNING batch_id
    ), counted AS (SELECT batch_id, count(*)::int AS tags FROM marked GROUP BY batch_id)
    UPDATE batches SET printed = printed + counted.tags
    FROM counted WHERE batches.account_id = ${accountId} AND batches.id = counted.batch_id`;
}

/**
 * Delete some tags of a deleted batch with their codes: the unclaimed ones, and those that were deleted before and could be
 * restored. Returns the images, or null when no tags are left. Locks codes before tags, as claims do.
 */
export async function deleteSomeTags(
  tx: Tx,
  { accountId, id }: BatchKey,
  limit: number,
): Promise<string[] | null> {
  const tags = await querySql<{ qrCodeId: string }>(tx)`
    SELECT qr_code_id AS "qrCodeId" FROM batch_tags
    WHERE account_id = ${accountId} AND batch_id = ${id} ORDER BY position LIMIT ${limit}`;
  if (tags.length === 0) return null;
  const ids = tags.map(({ qrCodeId }) => qrCodeId);
  const codes = await querySql<{ imageFile: string | null }>(tx)`
    WITH locked AS MATERIALIZED (
      SELECT id, image_file FROM qr_codes
      WHERE account_id = ${accountId} AND id = ANY (${ids}::text[])
        AND (status = 'UNCLAIMED' OR status = 'DELETED' AND previous_status = 'UNCLAIMED' AND data IS NOT NULL)
      ORDER BY id FOR UPDATE
    )
    UPDATE qr_codes AS code
    SET status = 'DELETED', deleted_at = coalesce(code.deleted_at, now()), updated_at = now(), version = version + 1, data = NULL,
        visibility = '{}', design = '{}', logo = NULL, adjusted = '[]', page_design = '{}', external_id = NULL, metadata = '{}',
        image_file = NULL
    FROM locked WHERE code.account_id = ${accountId} AND code.id = locked.id
    RETURNING locked.image_file AS "imageFile"`;
  await executeSql(tx)`
    DELETE FROM batch_tags WHERE account_id = ${accountId} AND batch_id = ${id} AND qr_code_id = ANY (${ids}::text[])`;
  return codes.flatMap(({ imageFile }) => imageFile ?? []);
}
