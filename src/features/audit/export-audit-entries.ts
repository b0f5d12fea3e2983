import type { Readable } from 'node:stream';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database.ts';
import { createTableExportStream, type TableExportOptions } from '../../platform/table-export.ts';
import {
  type AuditCursor,
  type AuditEntryRow,
  type AuditFilter,
  listAuditEntriesAfter,
} from './audit-log.repository.ts';
import type { AuditEntry } from './audit-log.schemas.ts';
import { toAuditEntryView } from './audit-log.view.ts';

const EXPORT_BATCH_SIZE = 500;

const EXPORT_COLUMNS: readonly (keyof Static<typeof AuditEntry>)[] = [
  'id',
  'sequence',
  'createdAt',
  'action',
  'severity',
  'outcome',
  'resourceType',
  'resourceId',
  'actorId',
  'subjectId',
  'operation',
  'changes',
  'ip',
  'userAgent',
  'requestId',
  'accountId',
];

/** Export entries for a user. @throws RATE_LIMITED */
export function exportAuditEntries(
  database: Database,
  userId: string,
  filter: AuditFilter,
  options: TableExportOptions,
): Readable {
  return createTableExportStream(userId, iterateAuditEntries(database, filter), EXPORT_COLUMNS, options);
}

async function* iterateAuditEntries(database: Database, filter: AuditFilter) {
  for (let cursor: AuditCursor | null = null; ; ) {
    const after = cursor;
    const rows: AuditEntryRow[] = await database.read(({ client }) =>
      listAuditEntriesAfter(client, filter, after, EXPORT_BATCH_SIZE),
    );
    yield rows.map((row) => JSON.stringify(toAuditEntryView(row)));
    const last = rows.at(-1);
    cursor = last ? { at: last.createdAt, id: last.id } : null;
    if (rows.length < EXPORT_BATCH_SIZE) return;
  }
}
