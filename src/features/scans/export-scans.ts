import type { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { recordAuditEntry } from '../../platform/audit.ts';
import { CopyRowBuffer } from '../../platform/copy-query.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { readOrReportIntegrityFailure, toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type ExportFormat, exportTable } from '../../platform/table-export.ts';
import type { IntegrityFailure } from '../../shared/errors.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import {
  copyScansToExport,
  placeOf,
  type ScanExportRow,
  type ScanFilter,
  scanToExport,
} from './scan-list.repository.ts';
import { openPosition, type Position } from './scan-position.ts';

/** Scans that are read at a time, some 3 MB: to plan it costs as much as to read 300. */
const IN_A_PAGE = 5_000;

/** Scans that are worked on before others have their turn. */
const IN_A_PIECE = 100;

const COLUMNS = [
  ...['id', 'qrCodeId', 'scannedAt', 'type', 'class', 'classRule', 'unique', 'unlocked'],
  ...['latitude', 'longitude', 'accuracy', 'address', 'city', 'region', 'country'],
  ...['device', 'operatingSystem', 'browser', 'ip', 'userAgent'],
];

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
}

/**
 * The scans of an owner's codes, newest first, with exact positions, as `exportTable` gives them. A position that does
 * not open is left out and recorded.
 */
export function exportScans(
  services: Services,
  context: RequestContext,
  ownerId: string,
  filter: ScanFilter,
  format: ExportFormat,
): Readable {
  return exportTable(scansOf(services, context, ownerId, filter), COLUMNS, format);
}

async function* scansOf(
  { database, fieldCipher }: Services,
  context: RequestContext,
  ownerId: string,
  filter: ScanFilter,
) {
  let [page, coming] = [new CopyRowBuffer(), new CopyRowBuffer()];
  const read = (place: TimeCursor | null) =>
    copyScansToExport(database, ownerId, filter, place, IN_A_PAGE, coming);
  for (let next: Promise<void> | null = read(null); next; ) {
    await next;
    [page, coming] = [coming, page];
    // Read while this page is worked on; what goes wrong with it is told when it is its turn.
    next = page.length < IN_A_PAGE ? null : read(placeOf(page.at(page.length - 1)));
    next?.catch(() => {});
    for (let at = 0; at < page.length; at += IN_A_PIECE) {
      const damage: IntegrityFailure[] = [];
      const piece: string[] = [];
      for (let one = at; one < Math.min(at + IN_A_PIECE, page.length); one += 1)
        piece.push(
          exportedScan(fieldCipher, ownerId, scanToExport(page.at(one)), (damaged) => damage.push(damaged)),
        );
      yield piece;
      if (damage.length > 0) {
        await database.transaction(async (tx) => {
          for (const damaged of damage) await recordAuditEntry(tx, context, toIntegrityFailureEntry(damaged));
        });
      }
      // A client that takes whatever there is would have everybody else wait for the end of the page.
      await immediate();
    }
  }
}

/** The facts of a scan with its exact position, as JSON. */
function exportedScan(
  fieldCipher: FieldCipher,
  ownerId: string,
  { id, position, address, facts }: ScanExportRow,
  onDamage: (damaged: IntegrityFailure) => void,
): string {
  const exact =
    position &&
    readOrReportIntegrityFailure(
      () => openPosition(fieldCipher, { id, ownerId }, position, address, 'scans'),
      onDamage,
    );
  return `${facts.slice(0, -1)},${JSON.stringify(exact ?? NOWHERE).slice(1)}`;
}

const NOWHERE: Record<keyof Position, null> = {
  latitude: null,
  longitude: null,
  accuracy: null,
  address: null,
};
