import type { Readable } from 'node:stream';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database.ts';
import { type ExportFormat, exportTable } from '../../platform/table-export.ts';
import {
  type AuditFilter,
  type AuditPlace,
  type AuditRow,
  listEntriesAfter,
} from './audit-log.repository.ts';
import type { AuditEntry } from './audit-log.schemas.ts';
import { auditEntryView } from './audit-log.view.ts';

const AT_ONCE = 500;

const COLUMNS: readonly (keyof Static<typeof AuditEntry>)[] = [
  ...([
    'id',
    'sequence',
    'createdAt',
    'action',
    'severity',
    'outcome',
    'resourceType',
    'resourceId',
  ] as const),
  ...(['actorId', 'subjectId', 'operation', 'changes', 'ip', 'userAgent', 'requestId'] as const),
];

/** The entries that match, newest first, as `exportTable` gives them. */
export function exportEntries(database: Database, filter: AuditFilter, format: ExportFormat): Readable {
  return exportTable(entriesOf(database, filter), COLUMNS, format);
}

async function* entriesOf(database: Database, filter: AuditFilter) {
  for (let place: AuditPlace | null = null; ; ) {
    const rows: AuditRow[] = await listEntriesAfter(database.client, filter, place, AT_ONCE);
    yield rows.map((row) => JSON.stringify(auditEntryView(row)));
    const last = rows.at(-1);
    place = last ? { at: last.createdAt, id: last.id } : null;
    if (rows.length < AT_ONCE) return;
  }
}
