import { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../../platform/database.ts';
import type { ErasureRow } from './erasure.repository.ts';

/** What stands for the title and the slug of a code whose owner was erased. */
const ERASED_CODE = { title: 'Erased', slug: 'erased' };

/** Tables of which every row of an erased account goes, with the column that names it and the key. */
const DELETED_TABLES = {
  push_devices: { owner: 'user_id', key: 'id' },
  sessions: { owner: 'user_id', key: 'id' },
  pending_registrations: { owner: 'user_id', key: 'id' },
  password_resets: { owner: 'user_id', key: 'id' },
  user_identities: { owner: 'user_id', key: 'id' },
  second_factors: { owner: 'user_id', key: 'user_id' },
  notifications: { owner: 'user_id', key: 'id' },
  notification_settings: { owner: 'user_id', key: 'user_id' },
  guest_book_entries: { owner: 'owner_id', key: 'id' },
  memory_tag_caretakers: { owner: 'user_id', key: 'id' },
  memory_tags: { owner: 'owner_id', key: 'id' },
  documents: { owner: 'owner_id', key: 'id' },
  memory_tag_pictures: { owner: 'owner_id', key: 'id' },
  conversations: { owner: 'owner_id', key: 'id' },
  blocked_finders: { owner: 'owner_id', key: 'finder_hash' },
  scan_locations: { owner: 'owner_id', key: 'id' },
} as const;

export type DeletedTable = keyof typeof DELETED_TABLES;

/**
 * Empties codes: DELETED, no content, no PIN, no title; their images are noted for removal, and what tells visitors apart
 * and test links go. A code that a scan is being counted on is left for the next call where `skipLocked`. Answers how many.
 */
export async function eraseQrCodes(
  tx: Tx,
  { id, userId }: ErasureRow,
  limit: number,
  skipLocked: boolean,
): Promise<number> {
  const { title, slug } = ERASED_CODE;
  const skip = skipLocked ? Prisma.sql`SKIP LOCKED` : Prisma.empty;
  return tx.$executeRaw`
    WITH picked AS MATERIALIZED (
      SELECT id, image_file FROM qr_codes WHERE ${whereUnerased(userId)} ORDER BY id LIMIT ${limit} FOR UPDATE ${skip}
    ), files AS (
      INSERT INTO erased_files (erasure_id, folder, name)
      SELECT ${id}, 'qrcodes', image_file FROM picked WHERE image_file IS NOT NULL
      ON CONFLICT DO NOTHING
    ), links AS (
      DELETE FROM test_links USING picked WHERE qr_code_id = picked.id
    ), visitors AS (
      DELETE FROM scan_visitors USING picked WHERE qr_code_id = picked.id
    )
    UPDATE qr_codes AS code SET
      title = ${title}, slug = ${slug}, status = 'DELETED', previous_status = NULL,
      deleted_at = coalesce(deleted_at, now()), data = NULL, visibility = '{}', design = '{}', logo = NULL,
      adjusted = '[]', lost_details = NULL, pin_hash = NULL, image_file = NULL, contactable = false,
      shows_page = false, notify_on = 'EVERY_SCAN', expires_at = NULL, version = version + 1, updated_at = now()
    FROM picked WHERE code.id = picked.id`;
}

/** Whether codes remain to be emptied. */
export async function hasUnerasedCodes(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM qr_codes WHERE ${whereUnerased(userId)} LIMIT 1`;
  return rows.length > 0;
}

/** Deletes rows of a table. Answers how many. */
export async function deletePersonalRows(
  tx: Tx,
  table: DeletedTable,
  userId: string,
  limit: number,
): Promise<number> {
  const { owner, key } = DELETED_TABLES[table];
  const [name, column, id] = [table, owner, key].map((word) => Prisma.raw(word));
  return tx.$executeRaw`
    DELETE FROM ${name} WHERE ${id} IN (SELECT ${id} FROM ${name} WHERE ${column} = ${userId} LIMIT ${limit})`;
}

/** Deletes what was told to the account's sockets, and its stream once that is empty. Answers how many events went. */
export async function deleteRealtimeStream(tx: Tx, userId: string, limit: number): Promise<number> {
  const stream = `u:${userId}`;
  const count = await tx.$executeRaw`
    DELETE FROM realtime_events WHERE stream = ${stream} AND seq IN (
      SELECT seq FROM realtime_events WHERE stream = ${stream} ORDER BY seq LIMIT ${limit})`;
  if (count < limit) await tx.$executeRaw`DELETE FROM realtime_streams WHERE stream = ${stream}`;
  return count;
}

/** Forgets answers that were kept for the account, or that show its content to others. Answers how many. */
export async function deleteIdempotencyKeys(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM idempotency_keys WHERE (requester, operation, key_hash) IN (
      SELECT requester, operation, key_hash FROM idempotency_keys WHERE requester = ${userId} OR content_owner_id = ${userId} LIMIT ${limit})`;
}

/** Deletes exports and notes their files for removal. Answers how many. */
export async function deleteExports(tx: Tx, { id, userId }: ErasureRow): Promise<number> {
  return tx.$executeRaw`
    WITH gone AS (DELETE FROM data_exports WHERE user_id = ${userId} RETURNING file)
    INSERT INTO erased_files (erasure_id, folder, name)
    SELECT ${id}, 'exports', file FROM gone WHERE file IS NOT NULL ON CONFLICT DO NOTHING`;
}

/** Takes the scanner from scans that the account made elsewhere. Answers how many. */
export async function clearScannerUserId(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.$executeRaw`
    UPDATE scans SET scanner_id = NULL
    WHERE id IN (SELECT id FROM scans WHERE scanner_id = ${userId} ORDER BY id LIMIT ${limit})`;
}

/** Takes the reader from readings of documents of others. Answers how many. */
export async function clearReaderUserId(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.$executeRaw`
    UPDATE document_accesses SET reader_id = NULL
    WHERE id IN (SELECT id FROM document_accesses WHERE reader_id = ${userId} LIMIT ${limit})`;
}

/**
 * Takes from scans of the account's codes what is personal; time, class, city, region and country stay for the counts.
 * From the newest on, remembering how far: call it once no code remains that a scan could still be stored of. Answers
 * how many.
 */
export async function eraseScans(tx: Tx, erasure: ErasureRow, limit: number): Promise<number> {
  const { id, userId, scanCursorAt, scanCursorId } = erasure;
  const beyond = scanCursorAt
    ? Prisma.sql`AND (scanned_at, id) < (${scanCursorAt}, ${scanCursorId})`
    : Prisma.empty;
  const rows = await tx.$queryRaw<{ count: number }[]>`
    WITH picked AS MATERIALIZED (
      SELECT id, scanned_at FROM scans WHERE owner_id = ${userId} ${beyond}
      ORDER BY scanned_at DESC, id DESC LIMIT ${limit}
    ), emptied AS (
      UPDATE scans AS scan
      SET position = NULL, address = NULL, ip_truncated = '', user_agent = '', visitor_hash = '', scanner_id = NULL
      FROM picked WHERE scan.id = picked.id
    ), last AS (
      SELECT id, scanned_at FROM picked ORDER BY scanned_at, id LIMIT 1
    ), noted AS (
      UPDATE erasures SET scan_cursor_at = last.scanned_at, scan_cursor_id = last.id FROM last WHERE erasures.id = ${id}
    )
    SELECT count(*)::int AS count FROM picked`;
  return rows[0]?.count ?? 0;
}

/** Removes the addresses and agents of what the account did, and of failed log-ins to it, from beside the trail. Answers how many. */
export async function deleteAuditOrigins(tx: Tx, reference: string | null, limit: number): Promise<number> {
  if (reference === null) return 0;
  return tx.$executeRaw`
    DELETE FROM audit_origins WHERE entry_id IN (
      (SELECT entry.id FROM audit_entries AS entry JOIN audit_origins AS origin ON origin.entry_id = entry.id
       WHERE entry.actor_reference = ${reference} LIMIT ${limit})
      UNION ALL
      (SELECT entry.id FROM audit_entries AS entry JOIN audit_origins AS origin ON origin.entry_id = entry.id
       WHERE entry.resource_type = 'USER' AND entry.resource_id = ${reference} AND entry.actor_reference IS NULL
       LIMIT ${limit}))`;
}

function whereUnerased(userId: string): Prisma.Sql {
  return Prisma.sql`owner_id = ${userId} AND (data IS NOT NULL OR title <> ${ERASED_CODE.title} OR slug <> ${ERASED_CODE.slug})`;
}
