import type { DataExportRow } from './data-export.repository.ts';
import { type DataExport, EXPORT_STATUSES } from './personal-data.schemas.ts';

export function getExportPath(id: string): string {
  return `/api/auth/exports/${id}`;
}

export function toDataExportView(publicBaseUrl: string, row: DataExportRow): DataExport {
  const status = EXPORT_STATUSES.find((known) => known === row.status) ?? 'FAILED';
  return {
    id: row.id,
    status,
    encryptedToYourKey: row.recipient !== null,
    size: row.size === null ? null : Number(row.size),
    contentUrl: status === 'READY' ? `${publicBaseUrl}${getExportPath(row.id)}/content` : null,
    createdAt: row.createdAt.toISOString(),
    readyAt: row.readyAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

/** Get the file name that a browser saves an archive under. */
export function getArchiveName(madeAt: Date, isEncrypted: boolean): string {
  return `personal-data-${madeAt.toISOString().slice(0, 10)}.zip${isEncrypted ? '.age' : ''}`;
}
