import type { Readable } from 'node:stream';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import { collectGarbage } from '../../platform/collect-garbage.ts';
import { damageRecord, readable } from '../../platform/damage.ts';
import type { Database } from '../../platform/database.ts';
import { readNamed } from '../../platform/read.ts';
import { type ExportFormat, exportTable } from '../../platform/table-export.ts';
import type { Vault } from '../../platform/vault.ts';
import type { DamagedValue } from '../../shared/errors.ts';
import type { ScanCursor } from './scan-cursor.rules.ts';
import { listScansToExport, type ScanExportRow, type ScanFilter } from './scan-list.repository.ts';
import { openLocation } from './scan-position.ts';

/** Scans that are in memory at a time: few enough that others are answered between two batches. */
const AT_ONCE = 1_000;

/** Scans after which the ciphers that opened them are freed, some 20 MB: whole batches. */
const COLLECT_EVERY = 20 * AT_ONCE;

const COLUMNS = [
  ...['id', 'qrCodeId', 'scannedAt', 'type', 'class', 'classRule', 'unique', 'unlocked'],
  ...['latitude', 'longitude', 'accuracy', 'address', 'city', 'region', 'country'],
  ...['device', 'operatingSystem', 'browser', 'ip', 'userAgent'],
];

interface Services {
  database: Database;
  vault: Vault;
}

/**
 * The scans of an owner's codes, newest first, with exact positions, as `exportTable` gives them. A position that does
 * not open is left out and recorded.
 */
export function exportScans(
  services: Services,
  caller: Caller,
  ownerId: string,
  filter: ScanFilter,
  format: ExportFormat,
): Readable {
  return exportTable(scansOf(services, caller, ownerId, filter), COLUMNS, format);
}

async function* scansOf(services: Services, caller: Caller, ownerId: string, filter: ScanFilter) {
  const { database, vault } = services;
  const list = (place: ScanCursor | null) =>
    listScansToExport(readNamed(database), ownerId, filter, place, AT_ONCE);
  let opened = 0;
  for (let next: Promise<ScanExportRow[]> | null = list(null); next; ) {
    const rows: ScanExportRow[] = await next;
    const last = rows.length < AT_ONCE ? undefined : rows.at(-1);
    // Read while this batch is worked on; what goes wrong with it is told when it is its turn.
    next = last ? list({ at: last.scannedAt, id: last.id }) : null;
    next?.catch(() => {});
    const damage: DamagedValue[] = [];
    yield rows.map((row) => exportedScan(vault, row, (damaged) => damage.push(damaged)));
    opened += rows.length;
    if (opened % COLLECT_EVERY === 0) collectGarbage();
    if (damage.length > 0) {
      await database.transaction(async (tx) => {
        for (const damaged of damage) await recordAction(tx, caller, damageRecord(damaged));
      });
    }
  }
}

/** The facts of a scan with its exact position, as JSON. */
function exportedScan(vault: Vault, row: ScanExportRow, onDamage: (damaged: DamagedValue) => void): string {
  const location = readable(() => openLocation(vault, { ...row, ...UNNAMED }), onDamage);
  const { latitude = null, longitude = null, accuracy = null, address = null } = location ?? {};
  return `${row.facts.slice(0, -1)},${JSON.stringify({ latitude, longitude, accuracy, address }).slice(1)}`;
}

/** Cities and countries are among the facts already. */
const UNNAMED = { city: null, region: null, country: null };
