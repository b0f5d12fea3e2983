import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database.ts';
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

/**
 * The entries that match, newest first, as a stream that reads on as fast as it is taken: JSON lines, or CSV
 * (RFC 4180, with a header) in which what a spreadsheet would take for a formula is text.
 */
export function exportEntries(database: Database, filter: AuditFilter, format: 'jsonl' | 'csv'): Readable {
  const entries = entriesOf(database, filter);
  if (format === 'jsonl') return Readable.from(linesOf(entries));
  const columns = [...COLUMNS];
  const csv = stringify({
    header: true,
    columns,
    cast: { object: (value) => (Array.isArray(value) ? value.join(' ') : JSON.stringify(value)) },
    escape_formulas: true,
    record_delimiter: '\r\n',
  });
  const source = Readable.from(entries);
  // What goes wrong while reading ends the answer, and does not leave half a file that looks whole.
  source.on('error', (error) => csv.destroy(error));
  csv.on('close', () => source.destroy());
  return source.pipe(csv);
}

async function* entriesOf(database: Database, filter: AuditFilter) {
  for (let place: AuditPlace | null = null; ; ) {
    const rows: AuditRow[] = await listEntriesAfter(database.client, filter, place, AT_ONCE);
    for (const row of rows) yield auditEntryView(row);
    const last = rows.at(-1);
    place = last ? { at: last.createdAt, id: last.id } : null;
    if (rows.length < AT_ONCE) return;
  }
}

async function* linesOf(entries: ReturnType<typeof entriesOf>) {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
