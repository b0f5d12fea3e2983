import { runForAccount } from '../../../platform/bound-database.ts';
import type { Tx } from '../../../platform/database.ts';
import type { AccountMove } from '../../../platform/move-rows.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import type { HistoryChoice } from './moved-tables.ts';

export interface QrCodeMove extends AccountMove {
  qrCodeId: string;
  history: HistoryChoice;
}

/**
 * Lock two accounts against other moves, and their users against an erasure: before any record of theirs, in the same order
 * for both directions. False when one is erased.
 */
export async function lockAccountsForMove(
  tx: Tx,
  { fromAccountId, toAccountId }: AccountMove,
): Promise<boolean> {
  const ids = [fromAccountId, toAccountId].toSorted();
  await executeSql(tx)`
    SELECT pg_advisory_xact_lock(hashtextextended('moves of ' || id, 0))
    FROM (SELECT id FROM unnest(${ids}::text[]) WITH ORDINALITY AS input (id, place) ORDER BY place) AS ordered`;
  const rows = await querySql<{ isErased: boolean }>(tx)`
    SELECT is_erased(id) AS "isErased"
    FROM (SELECT id FROM unnest(${ids}::text[]) WITH ORDINALITY AS input (id, place) ORDER BY place) AS ordered`;
  return rows.every(({ isErased }) => !isErased);
}

export interface MovedAmounts {
  memoryTags: number;
  storageBytes: number;
}

/** Count what the new account needs room for, beside the code, and lock the memory tags. */
export async function measureMove(
  tx: Tx,
  { qrCodeId, fromAccountId }: Pick<QrCodeMove, 'qrCodeId' | 'fromAccountId'>,
): Promise<MovedAmounts> {
  const tags = await querySql<{ id: string }>(tx)`
    SELECT id FROM memory_tags WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId} ORDER BY id FOR UPDATE`;
  const tagIds = tags.map(({ id }) => id);
  const [sum] = await querySql<{ bytes: number }>(tx)`
    SELECT coalesce(sum(file.size), 0)::float8 AS bytes FROM stored_files AS file
    WHERE file.account_id = ${fromAccountId} AND file.id IN (
      SELECT file_id FROM pictures
      WHERE account_id = ${fromAccountId} AND (qr_code_id = ${qrCodeId} OR memory_tag_id = ANY (${tagIds}::text[]))
      UNION ALL
      SELECT file_id FROM deleted_pictures
      WHERE account_id = ${fromAccountId} AND (qr_code_id = ${qrCodeId} OR memory_tag_id = ANY (${tagIds}::text[])))`;
  return { memoryTags: tags.length, storageBytes: sum?.bytes ?? 0 };
}

/** Delete the smaller sizes of pictures; returns the ids of their files. */
export async function deleteRenditions(
  tx: Tx,
  { qrCodeId, fromAccountId }: Pick<QrCodeMove, 'qrCodeId' | 'fromAccountId'>,
): Promise<string[]> {
  const rows = await querySql<{ fileId: string | null }>(tx)`
    DELETE FROM picture_renditions WHERE picture_id IN (
      SELECT id FROM pictures WHERE account_id = ${fromAccountId} AND (qr_code_id = ${qrCodeId} OR memory_tag_id IN (
        SELECT id FROM memory_tags WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId})))
    RETURNING file_id AS "fileId"`;
  return rows.flatMap(({ fileId }) => fileId ?? []);
}

/** Delete what a code has for its old account only: test links, reports by email, notifications; end what it offers of documents. */
export async function deleteAccountSide(
  tx: Tx,
  { qrCodeId, fromAccountId }: Pick<QrCodeMove, 'qrCodeId' | 'fromAccountId'>,
): Promise<void> {
  await tx.testLink.deleteMany({ where: { qrCodeId } });
  await runForAccount(tx, fromAccountId, () =>
    tx.reportSchedule.deleteMany({ where: { accountId: fromAccountId, qrCodeId } }),
  );
  await executeSql(tx)`
    UPDATE document_shares SET qr_code_id = NULL, ended_at = coalesce(ended_at, now())
    WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId}`;
  await executeSql(tx)`
    DELETE FROM notifications WHERE account_id = ${fromAccountId} AND data ->> 'qrCodeId' = ${qrCodeId}`;
}

export interface DeletedHistory {
  conversationIds: string[];
  /** Of deleted pictures. */
  fileIds: string[];
}

/**
 * Delete conversations, caretakers, what could be restored, the last report of a loss, ids and notes of programs, and what
 * was reported of the code and answered to it. Takedowns stay. Scans are deleted by their feature.
 */
export async function deleteHistory(
  tx: Tx,
  { qrCodeId, fromAccountId }: Pick<QrCodeMove, 'qrCodeId' | 'fromAccountId'>,
): Promise<DeletedHistory> {
  const tagsOfCode = sql`(SELECT id FROM memory_tags WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId})`;
  await executeSql(tx)`
    DELETE FROM memory_tag_caretakers WHERE account_id = ${fromAccountId} AND memory_tag_id IN ${tagsOfCode}`;
  await executeSql(tx)`
    DELETE FROM guest_book_entries
    WHERE account_id = ${fromAccountId} AND deleted_at IS NOT NULL AND memory_tag_id IN ${tagsOfCode}`;
  await executeSql(tx)`
    UPDATE qr_codes SET external_id = NULL, metadata = '{}', found_details = NULL, found_at = NULL
    WHERE account_id = ${fromAccountId} AND id = ${qrCodeId}`;
  await executeSql(tx)`
    UPDATE memory_tags SET external_id = NULL, metadata = '{}'
    WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId}`;
  await executeSql(tx)`
    DELETE FROM qr_code_reports WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId}`;
  await executeSql(tx)`
    DELETE FROM qr_code_appeals WHERE account_id = ${fromAccountId} AND takedown_id IN (
      SELECT id FROM qr_code_takedowns WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId})`;
  const pictures = await querySql<{ fileId: string }>(tx)`
    DELETE FROM deleted_pictures
    WHERE account_id = ${fromAccountId} AND (qr_code_id = ${qrCodeId} OR memory_tag_id IN ${tagsOfCode})
    RETURNING file_id AS "fileId"`;
  const conversations = await querySql<{ id: string }>(tx)`
    DELETE FROM conversations WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId} RETURNING id`;
  return {
    conversationIds: conversations.map(({ id }) => id),
    fileIds: pictures.map(({ fileId }) => fileId),
  };
}

/** The new owner of a memory tag needs no care of it. */
export async function deleteCareOfNewOwner(
  tx: Tx,
  { qrCodeId, fromAccountId, toAccountId }: QrCodeMove,
): Promise<void> {
  await executeSql(tx)`
    DELETE FROM memory_tag_caretakers WHERE account_id = ${fromAccountId} AND user_id = ${toAccountId} AND memory_tag_id IN (
      SELECT id FROM memory_tags WHERE account_id = ${fromAccountId} AND qr_code_id = ${qrCodeId})`;
}

/** Keep a code from going to another account until COMMIT; false when it is gone. */
export async function lockQrCodeAccount(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const rows = await querySql<{ id: string }>(tx)`
    SELECT id FROM qr_codes WHERE account_id = ${accountId} AND id = ${id} FOR KEY SHARE`;
  return rows.length > 0;
}
