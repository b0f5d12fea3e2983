import { executeSql, querySql, type SqlConnection } from '../../platform/sql.ts';

export interface ScanArchiveRow {
  name: string;
  lastId: string;
  scans: number;
  size: number;
  sha256: string;
}

/** Where the next archive begins; empty if there is none. */
export async function findLastArchivedScanId(connection: SqlConnection): Promise<string> {
  const rows = await querySql<{ lastId: string }>(connection)`
    SELECT coalesce(max(last_id), '') AS "lastId" FROM scan_archives`;
  return rows[0]?.lastId ?? '';
}

export async function findNextScanId(
  connection: SqlConnection,
  afterId: string,
  endId: string,
): Promise<string | null> {
  const rows = await querySql<{ id: string }>(connection)({
    text: 'SELECT id FROM scans WHERE id > $1 AND id < $2 ORDER BY id LIMIT 1',
    values: [afterId, endId],
  });
  return rows[0]?.id ?? null;
}

/** List JSON objects. Nothing about the visitor, the scanner, the owner and the position, and not the id. */
export async function listScanArchiveLines(
  connection: SqlConnection,
  afterId: string,
  endId: string,
  limit: number,
): Promise<{ id: string; line: string }[]> {
  return querySql<{ id: string; line: string }>(connection, { isPrepared: true })({
    text: `SELECT id, json_build_object('code_id', qr_code_id,
        'scanned_at', to_char(scanned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'class', class,
        'is_unique', is_unique, 'country', country, 'region', region, 'city', city, 'device', device, 'os', os,
        'browser', browser)::text AS line
      FROM scans WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3`,
    values: [afterId, endId, limit],
  });
}

/** False if another instance has stored an archive since `afterId`. */
export async function insertScanArchive(
  connection: SqlConnection,
  archive: ScanArchiveRow,
  afterId: string,
): Promise<boolean> {
  const rowCount = await executeSql(connection)({
    text: `INSERT INTO scan_archives (name, last_id, scans, size, sha256)
     SELECT $1, $2, $3, $4, $5 WHERE $6 = (SELECT coalesce(max(last_id), '') FROM scan_archives)
     ON CONFLICT (last_id) DO NOTHING`,
    values: [archive.name, archive.lastId, archive.scans, archive.size, archive.sha256, afterId],
  });
  return rowCount === 1;
}
