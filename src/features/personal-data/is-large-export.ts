import { countAuditEntries } from '../../platform/audit-trail.repository.ts';
import type { PersonalTable } from '../../platform/personal-data.ts';
import { measureTables } from './export-size.repository.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { PERSONAL_TABLES } from './registry.ts';

/** A larger archive is made by a job. Bytes are those of texts, encrypted content and files. */
const MAX_IMMEDIATE_EXPORT = { qrCodes: 200, rows: 5_000, bytes: 8 * 1024 * 1024 };

type Services = Pick<PersonalDataServices, 'database' | 'publicFiles'>;

/** Check whether an archive of a user is too large to be made while the user waits. */
export async function isLargeExport(services: Services, userId: string): Promise<boolean> {
  const { client } = services.database;
  const tables = new Map<string, PersonalTable>(Object.entries(PERSONAL_TABLES));
  const measured = await measureTables(
    client,
    userId,
    [...tables].flatMap(([table, { size }]) => (size ? [{ table, size, limit: getMaxRows(table) + 1 }] : [])),
  );
  let rows = await countAuditEntries(client, userId, MAX_IMMEDIATE_EXPORT.rows + 1);
  let bytes = 0;
  const paths: string[] = [];
  for (const one of measured) {
    if (one.rows > getMaxRows(one.table)) return true;
    if (one.table !== 'qr_codes') rows += one.rows;
    bytes += one.bytes;
    const file = tables.get(one.table)?.size?.file;
    if (file) paths.push(...one.files.map(file.getPath));
  }
  if (rows > MAX_IMMEDIATE_EXPORT.rows || bytes > MAX_IMMEDIATE_EXPORT.bytes) return true;
  // One after the other: the threads of the file system also hash passwords.
  for (const path of paths) bytes += (await services.publicFiles.stat(path))?.size ?? 0;
  return bytes > MAX_IMMEDIATE_EXPORT.bytes;
}

function getMaxRows(table: string): number {
  return table === 'qr_codes' ? MAX_IMMEDIATE_EXPORT.qrCodes : MAX_IMMEDIATE_EXPORT.rows;
}
