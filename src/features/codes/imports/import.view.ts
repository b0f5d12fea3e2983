import type { ImportRecord } from './import.repository.ts';
import { IMPORT_STATUSES, type ImportView } from './imports.schemas.ts';
import { IMPORT_FORMATS } from './read-rows.ts';

export function getImportPath(id: string): string {
  return `/api/imports/${id}`;
}

export function toImportView(publicBaseUrl: string, row: ImportRecord): ImportView {
  const { created, updated, unchanged, failed } = row;
  return {
    id: row.id,
    format: IMPORT_FORMATS.find((format) => format === row.format) ?? 'csv',
    status: IMPORT_STATUSES.find((status) => status === row.status) ?? 'FAILED',
    size: Number(row.size),
    bytesProcessed: Number(row.bytesRead),
    rowsProcessed: created + updated + unchanged + failed,
    counts: { created, updated, unchanged, failed },
    error: row.error as ImportView['error'],
    errorsUrl: `${publicBaseUrl}${getImportPath(row.id)}/errors`,
    rejectedRowsUrl:
      row.finishedAt && row.fileId ? `${publicBaseUrl}${getImportPath(row.id)}/rejected-rows` : null,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}
