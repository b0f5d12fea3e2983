import type { DataExportRow } from './data-export.repository.ts';
import { DATA_EXPORT_STATUSES, type DataExport } from './personal-data.schemas.ts';

export function getDataExportPath(id: string): string {
  return `/api/auth/exports/${id}`;
}

export function toDataExportView(publicBaseUrl: string, row: DataExportRow): DataExport {
  const status = DATA_EXPORT_STATUSES.find((known) => known === row.status) ?? 'FAILED';
  return {
    id: row.id,
    status,
    encryptedToYourKey: row.recipient !== null,
    size: row.size === null ? null : Number(row.size),
    contentUrl: status === 'READY' ? `${publicBaseUrl}${getDataExportPath(row.id)}/content` : null,
    createdAt: row.createdAt.toISOString(),
    readyAt: row.readyAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

/** Get the file name that a browser saves an archive under. */
export function getDataExportArchiveName(madeAt: Date, isEncrypted: boolean): string {
  return `personal-data-${madeAt.toISOString().slice(0, 10)}.zip${isEncrypted ? '.age' : ''}`;
}
