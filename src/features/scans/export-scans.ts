import type { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { recordAuditEntry } from '../../platform/audit.ts';
import { CopyRowBuffer } from '../../platform/copy-query.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import {
  readOrReportIntegrityFailure,
  toIntegrityFailureAuditEntry,
} from '../../platform/integrity-failure.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createTableExportStream, type TableExportOptions } from '../../platform/table-export.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import {
  copyScansToBuffer,
  getScanExportCursor,
  parseScanExportRow,
  type ScanExportRow,
  type ScanFilter,
} from './scan-list.repository.ts';
import { decryptExactPosition, type ExactPosition } from './scan-position.ts';

/** About 3 MB. Planning costs as much as reading 300 rows. */
const PAGE_SIZE = 5_000;

/** Rows converted before the event loop continues. */
const CHUNK_ROWS = 100;

const EXPORT_COLUMNS = [
  ...['id', 'qrCodeId', 'scannedAt', 'type', 'class', 'classRule', 'unique', 'unlocked'],
  ...['latitude', 'longitude', 'accuracy', 'address', 'city', 'region', 'country'],
  ...['device', 'operatingSystem', 'browser', 'ip', 'userAgent'],
];

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
}

/** Export scans newest first; positions that fail decryption are omitted and recorded. @throws RATE_LIMITED */
export function createScanExportStream(
  services: Services,
  context: RequestContext,
  accountId: string,
  filter: ScanFilter,
  options: TableExportOptions,
): Readable {
  return createTableExportStream(
    accountId,
    generateChunks(services, context, accountId, filter),
    EXPORT_COLUMNS,
    options,
  );
}

async function* generateChunks(
  { database, fieldCipher }: Services,
  context: RequestContext,
  accountId: string,
  filter: ScanFilter,
) {
  let [page, nextPage] = [new CopyRowBuffer(), new CopyRowBuffer()];
  const read = (place: TimeCursor | null) =>
    database.read((db) => copyScansToBuffer(db, accountId, filter, place, PAGE_SIZE, nextPage));
  for (let next: Promise<void> | null = read(null); next; ) {
    await next;
    [page, nextPage] = [nextPage, page];
    // Read while this page is converted; an error is thrown when the page is used.
    next = page.length < PAGE_SIZE ? null : read(getScanExportCursor(page.at(page.length - 1)));
    next?.catch(() => {});
    for (let at = 0; at < page.length; at += CHUNK_ROWS) {
      const failures: IntegrityFailure[] = [];
      const chunk: string[] = [];
      for (let index = at; index < Math.min(at + CHUNK_ROWS, page.length); index += 1)
        chunk.push(
          formatScan(fieldCipher, accountId, parseScanExportRow(page.at(index)), (failure) =>
            failures.push(failure),
          ),
        );
      yield chunk;
      if (failures.length > 0) {
        await database.transaction(async (tx) => {
          for (const failure of failures)
            await recordAuditEntry(tx, context, toIntegrityFailureAuditEntry(failure));
        });
      }
      // A fast client would otherwise block the event loop until the end of the page.
      await immediate();
    }
  }
}

function formatScan(
  fieldCipher: FieldCipher,
  accountId: string,
  { id, position, address, facts }: ScanExportRow,
  onIntegrityFailure: (failure: IntegrityFailure) => void,
): string {
  const exact =
    position &&
    readOrReportIntegrityFailure(
      () => decryptExactPosition(fieldCipher, { id, accountId }, position, address, 'scans'),
      onIntegrityFailure,
    );
  return `${facts.slice(0, -1)},${JSON.stringify(exact ?? EMPTY_POSITION).slice(1)}`;
}

const EMPTY_POSITION: Record<keyof ExactPosition, null> = {
  latitude: null,
  longitude: null,
  accuracy: null,
  address: null,
};
