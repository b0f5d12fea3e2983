import type { Db } from '../../platform/database.ts';

/** What an archive of a person would hold. */
export interface ExportSize {
  qrCodes: number;
  /** Scans and their trails, sessions, memory tags, documents, messages, notifications and events together. */
  rows: number;
  /** Of texts, encrypted content and private files. */
  bytes: number;
  /** File names. */
  pictures: { profile: string | null; qrCodes: string[] };
}

/** Measures what an archive of somebody would hold, counting of nothing further than one beyond a limit. */
export async function estimateExportSize(
  db: Db,
  userId: string,
  limits: { qrCodes: number; rows: number },
): Promise<ExportSize> {
  const codes = limits.qrCodes + 1;
  const rows = limits.rows + 1;
  const [row] = await db.$queryRaw<Measured[]>`
    WITH codes AS MATERIALIZED (
      SELECT image_file, coalesce(octet_length(data), 0) + coalesce(octet_length(lost_details), 0) AS bytes
      FROM qr_codes WHERE owner_id = ${userId} LIMIT ${codes}
    ), tags AS MATERIALIZED (
      SELECT coalesce(octet_length(story), 0) + coalesce(octet_length(epitaph), 0) AS bytes
      FROM memory_tags WHERE owner_id = ${userId} LIMIT ${rows}
    ), person AS (
      SELECT reference FROM audit_actors WHERE user_id = ${userId}
    )
    SELECT
      (SELECT count(*) FROM codes)::int AS "qrCodes",
      ((SELECT count(*) FROM tags)
        + (SELECT count(*) FROM (SELECT FROM document_versions WHERE owner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM document_accesses WHERE owner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM memory_tag_pictures WHERE owner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM scans WHERE owner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM scan_locations WHERE owner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM scans WHERE scanner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM sessions WHERE user_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM conversation_messages WHERE owner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM guest_book_entries WHERE owner_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM payment_invoices WHERE user_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM notifications WHERE user_id = ${userId} LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM audit_entries
                                 WHERE actor_reference = (SELECT reference FROM person) LIMIT ${rows}) AS counted)
        + (SELECT count(*) FROM (SELECT FROM audit_entries
                                 WHERE subject_reference = (SELECT reference FROM person) LIMIT ${rows}) AS counted)
      )::int AS rows,
      (SELECT coalesce(sum(bytes), 0) FROM codes)::float8 + (SELECT coalesce(sum(bytes), 0) FROM tags)::float8
        + (SELECT coalesce(sum(size), 0) FROM stored_files WHERE owner_id = ${userId} AND state = 'STORED')::float8 AS bytes,
      (SELECT profile_picture FROM users WHERE id = ${userId}) AS profile,
      ARRAY(SELECT image_file FROM codes WHERE image_file IS NOT NULL) AS images`;
  if (!row) throw new Error('The size has no row.');
  const { profile, images, ...counts } = row;
  return { ...counts, pictures: { profile, qrCodes: images } };
}

interface Measured {
  qrCodes: number;
  rows: number;
  bytes: number;
  profile: string | null;
  images: string[];
}
