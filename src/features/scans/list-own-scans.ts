import { ServiceError } from '../../shared/errors.ts';
import { createTimeSort, type ListRange } from '../../shared/list-cursor.ts';
import { isOwnQrCode } from './scan.repository.ts';
import {
  findLastScans,
  findQrCodesOfScans,
  listScansByOwner,
  type ScanFilter,
  type ScanListRow,
} from './scan-list.repository.ts';
import { limitScanFilterToRetention, readRetainedScans } from './scan-retention.ts';
import type { ScanServices } from './scan-services.ts';
import type { ScanSort } from './scan-sort.rules.ts';

const getScanTime = ({ scannedAt }: ScanListRow) => scannedAt;

export const SCAN_LIST_SORTS = {
  scannedAt: createTimeSort('scannedAt', getScanTime),
  '-scannedAt': createTimeSort('-scannedAt', getScanTime),
};

type Services = Pick<ScanServices, 'database' | 'findRetentionStart'>;

/** List the scans of an account, without those that its package no longer shows. @throws NOT_FOUND for the code of somebody else */
export async function listOwnScans(
  services: Services,
  accountId: string,
  filter: ScanFilter,
  { sort, range }: { sort: ScanSort; range: ListRange },
): Promise<{ rows: ScanListRow[]; total: number }> {
  const { database } = services;
  if (filter.qrCodeId && !(await isOwnQrCode(database.client, accountId, filter.qrCodeId)))
    throw new ServiceError('NOT_FOUND');
  return readRetainedScans(services, accountId, filter, (retainedFilter) =>
    database.read(({ pool }) => listScansByOwner(pool, accountId, retainedFilter, sort, range)),
  );
}

/** Find the codes of listed scans by their id. */
export async function readQrCodesOfScans(
  { database }: Services,
  accountId: string,
  scans: readonly ScanListRow[],
) {
  return database.read(({ client }) => findQrCodesOfScans(client, accountId, scans));
}

/** Find the last scan by a person of each of an account's codes, by the id of the code. */
export async function findLastOwnScans(
  services: Services,
  accountId: string,
  qrCodeIds: readonly string[],
): Promise<Map<string, ScanListRow>> {
  if (qrCodeIds.length === 0) return new Map();
  const { from } = await limitScanFilterToRetention(services, accountId, {});
  const rows = await services.database.read(({ pool }) => findLastScans(pool, accountId, qrCodeIds, from));
  return new Map(rows.map((row) => [row.qrCodeId, row]));
}
