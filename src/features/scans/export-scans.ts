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
const AT_ONCE = 250;

/** Scans after which the ciphers that opened them are freed: about 20 MB of them. */
const COLLECT_EVERY = 80 * AT_ONCE;

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

function exportedScan(vault: Vault, row: ScanExportRow, onDamage: (damaged: DamagedValue) => void) {
  const location = readable(() => openLocation(vault, row), onDamage);
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    scannedAt: row.scannedAt.toISOString(),
    type: row.type,
    class: row.class,
    classRule: row.classRule,
    unique: row.isUnique,
    unlocked: row.unlockedAt !== null,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
    accuracy: location?.accuracy ?? null,
    address: location?.address ?? null,
    city: row.city,
    region: row.region,
    country: row.country,
    device: row.device,
    operatingSystem: row.os,
    browser: row.browser,
    ip: row.ipTruncated,
    userAgent: row.userAgent,
  };
}
