import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import type { ErasureRow } from '../../../platform/personal-data.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';
import type { ColumnMapping } from './csv-columns.ts';
import type { ImportRowError, ImportView } from './imports.schemas.ts';
import type { RowPosition } from './read-rows.ts';

export type ImportRecord = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/** The primary key of an import. */
export interface ImportKey {
  accountId: string;
  id: string;
}

/** The row of an error is by default the first that is not imported. */
export type ImportEnd =
  | { status: 'COMPLETED' | 'CANCELED' }
  | { status: 'FAILED'; error: { code: string; message: string; row?: number } };

const OPEN = { finishedAt: null };

/** Find an import of a user; null if it is absent, expired or of another user. */
export async function findImport(db: Db, { accountId, id }: ImportKey) {
  return db.import.findFirst({ where: { accountId, id, isDraft: false, ...whereNotExpired() } });
}

/** Find an upload that is not imported yet; null if it is absent, expired or of another user. */
export async function findImportDraft(db: Db, { accountId, id }: ImportKey): Promise<ImportRecord | null> {
  return db.import.findFirst({ where: { accountId, id, isDraft: true, ...whereNotExpired() } });
}

/** List the uploads of a user that are not imported yet, newest first. */
export async function listImportDrafts(db: Db, accountId: string): Promise<ImportRecord[]> {
  return db.import.findMany({
    where: { accountId, isDraft: true, ...whereNotExpired() },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** Until it is started, a draft is like an import that was canceled before its first row. */
export async function insertImportDraft(
  tx: Tx,
  { mapping, ...row }: NewImportRow & { expiresAt: Date },
): Promise<void> {
  const state = { isDraft: true, status: 'CANCELED', finishedAt: new Date() };
  await tx.import.create({ data: { ...row, ...state, mapping: toJson(mapping) }, select: { id: true } });
}

/** Change what the columns of a draft are; false if it is absent. */
export async function updateDraftMapping(
  db: Db,
  { accountId, id }: ImportKey,
  mapping: ColumnMapping,
): Promise<boolean> {
  const { count } = await db.import.updateMany({
    where: { accountId, id, isDraft: true },
    data: { mapping: toJson(mapping) },
  });
  return count === 1;
}

/** Open a draft as an import that waits; null if it is absent. */
export async function startDraft(
  tx: Tx,
  { accountId, id }: ImportKey,
  origin: ImportOrigin,
): Promise<ImportRecord | null> {
  const { count } = await tx.import.updateMany({
    where: { accountId, id, isDraft: true, ...whereNotExpired() },
    data: {
      isDraft: false,
      status: 'WAITING',
      finishedAt: null,
      expiresAt: null,
      createdAt: new Date(),
      ...origin,
    },
  });
  return count === 1 ? tx.import.findFirst({ where: { accountId, id } }) : null;
}

/** Delete drafts of a user; returns their files. */
export async function deleteImportDrafts(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await querySql<{ fileId: string | null }>(tx)`
    DELETE FROM imports WHERE account_id = ${accountId} AND id = ANY(${[...ids]}::text[]) AND is_draft
    RETURNING file_id AS "fileId"`;
  return rows.flatMap(({ fileId }) => fileId ?? []);
}

/** Find an import that is not finished, with the status of its owner. */
export async function findOpenImport(db: Db, { accountId, id }: ImportKey) {
  return db.import.findFirst({
    where: { accountId, id, ...OPEN },
    include: { account: { select: { status: true } } },
  });
}

/** List a page of a user's imports that have not expired, newest first, with their total. */
export async function listImports(db: Db, accountId: string, { skip, take, after }: ListRange) {
  const where = { accountId, isDraft: false, ...whereNotExpired() };
  const [rows, total] = await Promise.all([
    db.import.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
    db.import.count({ where }),
  ]);
  return { rows, total };
}

export async function countOpenImports(db: Db, accountId: string): Promise<number> {
  return db.import.count({ where: { accountId, ...OPEN } });
}

/**
 * Lock the imports of an account, so that those requested at the same time are counted one after the other. No row is
 * locked: the guard of a new row locks the user, as an erasure does before it changes the account.
 */
export async function lockImportsOfOwner(tx: Tx, accountId: string): Promise<void> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtextextended('imports of ' || ${accountId}, 0))`;
}

/** Whom the audit trail names. */
interface ImportOrigin {
  requestId: string;
  createdBy: string | null;
}

interface NewImportRow extends ImportKey {
  format: string;
  fileId: string;
  size: number;
  requestId: string;
  mapping: ColumnMapping | null;
}

export async function insertImport(
  tx: Tx,
  { mapping, ...row }: NewImportRow & ImportOrigin,
): Promise<ImportRecord> {
  return tx.import.create({ data: { ...row, mapping: toJson(mapping) } });
}

function toJson(mapping: ColumnMapping | null) {
  return mapping === null ? Prisma.DbNull : { ...mapping };
}

/**
 * Move an open import from one position to the next and lock it until COMMIT; false if it is finished or another worker
 * has moved it.
 */
export async function advanceImport(
  tx: Tx,
  { accountId, id }: ImportKey,
  from: Pick<RowPosition, 'rowNumber'>,
  to: RowPosition,
): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE imports SET status = 'RUNNING', row_number = ${to.rowNumber}, bytes_read = ${to.bytesRead},
                       started_at = coalesce(started_at, now())
    WHERE account_id = ${accountId} AND id = ${id} AND finished_at IS NULL AND row_number = ${from.rowNumber}`;
  return count === 1;
}

/** Further errors of an import are only counted. */
export const MAX_STORED_IMPORT_ERRORS = 1_000;

/** Add the outcomes of a batch and its errors, which are stored under the position before it; returns the sums. */
export async function addImportOutcomes(
  tx: Tx,
  { accountId, id }: ImportKey,
  { rowNumber }: Pick<RowPosition, 'rowNumber'>,
  counts: ImportView['counts'],
  errors: readonly ImportRowError[],
): Promise<ImportView['counts']> {
  const sums = await tx.import.update({
    where: { accountId_id: { accountId, id } },
    data: {
      created: { increment: counts.created },
      updated: { increment: counts.updated },
      unchanged: { increment: counts.unchanged },
      failed: { increment: counts.failed },
    },
    select: { created: true, updated: true, unchanged: true, failed: true },
  });
  const before = errors.length > 0 ? await countImportErrors(tx, accountId, id) : 0;
  const stored = errors.slice(0, Math.max(0, MAX_STORED_IMPORT_ERRORS - before));
  if (stored.length > 0)
    await tx.importError.create({
      data: { accountId, importId: id, rowNumber, errors: stored as unknown as Prisma.InputJsonArray },
      select: { rowNumber: true },
    });
  return sums;
}

async function countImportErrors(tx: Tx, accountId: string, importId: string): Promise<number> {
  const [row] = await querySql<{ stored: number }>(tx)`
    SELECT coalesce(sum(jsonb_array_length(errors)), 0)::int AS stored FROM import_errors
    WHERE account_id = ${accountId} AND import_id = ${importId}`;
  return row?.stored ?? 0;
}

/** End an open import and change or clear its file; returns what it was, or null if it is not open. */
export async function endImport(
  tx: Tx,
  { accountId, id }: ImportKey,
  { fileId = null, ...end }: ImportEnd & { fileId?: string | null },
  expiresAt: Date,
): Promise<Pick<ImportRecord, 'fileId' | 'requestId' | 'createdBy'> | null> {
  const [open] = await querySql<Pick<ImportRecord, 'fileId' | 'requestId' | 'createdBy' | 'rowNumber'>>(tx)`
    SELECT file_id AS "fileId", request_id AS "requestId", created_by AS "createdBy", row_number AS "rowNumber" FROM imports
    WHERE account_id = ${accountId} AND id = ${id} AND finished_at IS NULL FOR UPDATE`;
  if (!open) return null;
  const { status } = end;
  const error = end.status === 'FAILED' ? { row: open.rowNumber + 1, ...end.error } : Prisma.DbNull;
  await tx.import.update({
    where: { accountId_id: { accountId, id } },
    data: { status, error, fileId, finishedAt: new Date(), expiresAt },
    select: { id: true },
  });
  return open;
}

/** List errors in the order of their rows, those of one batch after a position. */
export async function findImportErrorsAfter(
  db: Db,
  { accountId, id }: ImportKey,
  rowNumber: number,
): Promise<{ rowNumber: number; errors: ImportRowError[] } | null> {
  const batch = await db.importError.findFirst({
    where: { accountId, importId: id, rowNumber: { gt: rowNumber } },
    orderBy: { rowNumber: 'asc' },
  });
  return batch && { rowNumber: batch.rowNumber, errors: batch.errors as unknown as ImportRowError[] };
}

/** Delete expired imports with their errors, up to a limit; returns their number and the files that they had. */
export async function deleteExpiredImports(
  tx: Tx,
  limit: number,
): Promise<{ count: number; fileIds: string[] }> {
  const rows = await querySql<{ fileId: string | null }>(tx)`
    DELETE FROM imports WHERE (account_id, id) IN (
      SELECT account_id, id FROM imports WHERE expires_at <= ${new Date()} ORDER BY expires_at LIMIT ${limit})
    RETURNING file_id AS "fileId"`;
  return { count: rows.length, fileIds: rows.flatMap(({ fileId }) => fileId ?? []) };
}

/** List open imports by ascending id. */
export async function listOpenImports(db: Db, afterId: string, take: number): Promise<ImportKey[]> {
  return db.import.findMany({
    where: { id: { gt: afterId }, ...OPEN },
    select: { accountId: true, id: true },
    orderBy: { id: 'asc' },
    take,
  });
}

/** Delete all imports of an erased account; their files are removed with all its private files. */
export async function eraseImports(tx: Tx, { userId }: ErasureRow): Promise<true> {
  await tx.import.deleteMany({ where: { accountId: userId } });
  return true;
}

function whereNotExpired() {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}
