import { type Static, Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedList,
  defineExportedRows,
  defineNonPersonalTable,
  definePersonalData,
  defineTableDeletedOnErasure,
  defineTableKeptOnErasure,
  type PersonalDataExportContext,
  type PersonalDataViewContext,
  readById,
} from '../../platform/personal-data.ts';
import { combineErasureSteps, createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import {
  clearScannerUserId,
  eraseScanBatch,
  findScansByIds,
  listScansByScanner,
} from './personal-data.repository.ts';
import { listReportSchedules } from './reports/schedule/report-schedule.repository.ts';
import { decryptPositionRow, decryptScanLocation } from './scan-position.ts';

const Text = Type.String();

const ExportedLocation = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'latitude, longitude, accuracy, address, city, region, country; null if unknown.',
});

const ExportedScan = Type.Object({
  id: Id,
  qrCodeId: Id,
  scannedAt: Timestamp,
  type: Text,
  class: Text,
  classRule: Text,
  unlocked: Type.Boolean(),
  userAgent: Text,
  location: ExportedLocation,
  trail: Type.Array(Type.Object({ createdAt: Timestamp, location: ExportedLocation }), {
    description: 'Positions added after the scan, oldest first.',
  }),
});

type ScanRow = Awaited<ReturnType<typeof findScansByIds>>[number];

export const scansPersonalData = definePersonalData({
  tables: {
    scan_counts: {
      exported: { in: 'qrCodes' },
      erased: 'KEPT',
      how: 'Only numbers, of codes whose rows stay.',
    },
    scans: {
      exported: { in: 'scansOfYourCodes, yourScans' },
      erased: 'EMPTIED',
      how: 'Scans of the account’s codes; the rows stay for the counts. Of scans that the account made of codes of others only `scanner_id` is cleared.',
      columns: {
        retained: [
          'id',
          'qr_code_id',
          'account_id',
          'type',
          'class',
          'class_rule',
          'city',
          'region',
          'country',
          'is_unique',
          'device',
          'os',
          'browser',
          'unlocked_at',
          'unlocked_version',
          'scanned_at',
        ],
        emptied: ['scanner_id', 'visitor_hash', 'position', 'address', 'ip_truncated', 'user_agent'],
      },
      erase: eraseScanBatch,
      clearReferences: clearScannerUserId,
      size: { users: ['account_id', 'scanner_id'] },
    },
    scan_locations: defineTableDeletedOnErasure(
      { in: 'scansOfYourCodes (trail)' },
      {
        how: 'After all codes are erased, so that no further position is added.',
        erase: createRowDeletionStep('scan_locations', 'account_id'),
        size: { users: ['account_id'] },
      },
    ),
    geocoded_cells: defineNonPersonalTable(
      'Addresses by keyed hash of a map cell, without reference to a scan or a user.',
    ),
    geocoder_state: defineNonPersonalTable('State of the geocoding server.'),
    scan_visitors: defineTableDeletedOnErasure(
      { not: 'keyed hashes of visitors, kept for days' },
      { how: 'With their codes.' },
    ),
    scan_rollups: defineTableKeptOnErasure(
      'counts of the scans that are in the archive',
      'Counts by code, time, place and type of device, so that totals stay; with ids only.',
    ),
    scan_archives: defineNonPersonalTable(
      'Names and check values of files with scans: code, time, class, place by name and kind of device.',
    ),
    scan_rollup_months: defineTableKeptOnErasure(
      'counts of the scans that are in the archive',
      'As `scan_rollups`, of earlier months.',
    ),
    scan_rollup_merge_state: defineNonPersonalTable('How far roll-ups are merged.'),
    owner_scan_counts: defineTableKeptOnErasure(
      'sums of `scan_rollups`',
      'Only numbers, so that totals stay.',
    ),
    scan_dirty_buckets: defineNonPersonalTable('Buckets to be rolled up again.'),
    report_schedules: defineTableDeletedOnErasure(
      { in: 'reportSchedule' },
      {
        how: 'Those of the user, and those that members have for an erased organization.',
        erase: combineErasureSteps(
          createRowDeletionStep('report_schedules', 'user_id', 'account_id'),
          createRowDeletionStep('report_schedules', 'account_id', 'user_id'),
        ),
      },
    ),
    blocked_finders: defineTableDeletedOnErasure(
      { not: 'keyed hashes' },
      { erase: createRowDeletionStep('blocked_finders', 'account_id', 'finder_hash') },
    ),
  },
  lists: {
    scansOfYourCodes: defineExportedRows({
      item: ExportedScan,
      description: 'Newest first.',
      sources: [{ table: 'scans', user: 'account_id', at: 'scanned_at' }],
      findByIds: findScansByIds,
      toItem: toExportedScan,
    }),
    reportSchedule: defineExportedList({
      item: Type.Object({
        frequency: Text,
        hour: Type.Integer(),
        qrCodeId: nullable(Id),
        nextSendAt: Timestamp,
      }),
      description: 'When you are sent a report by email; empty if never.',
      async *read({ db, userId }: PersonalDataExportContext) {
        const schedules = await listReportSchedules(db, userId);
        yield schedules.map(({ frequency, hour, qrCodeId, nextSendAt }) => ({
          frequency,
          hour,
          qrCodeId,
          nextSendAt: nextSendAt.toISOString(),
        }));
      },
    }),
    yourScans: defineExportedList({
      item: Type.Object({ id: Id, qrCodeId: Id, scannedAt: Timestamp, type: Text }),
      description: 'Codes of any owner that you scanned while signed in.',
      async *read({ db, userId, batchSize }: PersonalDataExportContext) {
        const batches = readById(batchSize, (afterId, take) => listScansByScanner(db, userId, afterId, take));
        for await (const rows of batches)
          yield rows.map((row) => ({ ...row, scannedAt: row.scannedAt.toISOString() }));
      },
    }),
  },
});

/** Includes the exact position, but not the visitor's address. */
function toExportedScan(
  { fieldCipher, onIntegrityFailure }: PersonalDataViewContext,
  row: ScanRow,
): Static<typeof ExportedScan> {
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    scannedAt: row.scannedAt.toISOString(),
    type: row.type,
    class: row.class,
    classRule: row.classRule,
    unlocked: row.unlockedAt !== null,
    userAgent: row.userAgent,
    location: readOrReportIntegrityFailure(() => decryptScanLocation(fieldCipher, row), onIntegrityFailure),
    trail: row.trail.map((location) => ({
      createdAt: location.createdAt.toISOString(),
      location: readOrReportIntegrityFailure(
        () => decryptPositionRow(fieldCipher, location, 'scan_locations'),
        onIntegrityFailure,
      ),
    })),
  };
}
