import type { Database } from '../../platform/database.ts';
import { createGroupCommit, type GroupCommitResult } from '../../platform/group-commit.ts';
import { qrCodeCacheLookups } from '../../platform/monitoring/metrics.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createQrCodeCache, type QrCodeCache } from './code-cache.ts';
import { insertScans, type NewScanRow } from './insert-scan.repository.ts';
import { type PrepareScanServices, prepareScan, type RecordScanInput } from './prepare-scan.ts';
import { findScannedQrCodesById } from './scanned-code.repository.ts';
import {
  assertQrCodeOpen,
  getVisibleQrCodeContent,
  isQrCodeOpen,
  type QrCodeWithNotificationSettings,
  type RecordedScan,
  type VisibleQrCodeContent,
} from './scanned-code.ts';

const BATCH_SIZE = 256;

/** A scan takes a fraction of a millisecond. */
const MAX_WAITING_SCANS = 2_000;

type Services = PrepareScanServices & { database: Database };

interface PreparedScan {
  code: QrCodeWithNotificationSettings;
  scan: NewScanRow;
  content: VisibleQrCodeContent;
  location: RecordScanInput['location'];
}

interface PendingScan {
  codeId: string;
  visit: RecordScanInput;
  cached: PreparedScan | null;
}

/** APART: needs its own transaction. CHANGED: the code changed meanwhile. */
export type GroupWriteOutcome = RecordedScan | 'APART' | 'CHANGED';

/**
 * Store concurrent scans in one commit, except medical, geocoded and blockable ones. Codes are cached.
 * The writer throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY, and BUSY when the queue is full.
 */
export function createScanGroupWriter(
  services: Services,
): (codeId: string, visit: RecordScanInput) => Promise<GroupWriteOutcome> {
  const cache = createQrCodeCache();
  const write = createGroupCommit<PendingScan, GroupWriteOutcome>({
    name: 'scans',
    write: (items) => writeScans(services, cache, items),
    isFaultOfItem: isRowError,
    maxGroupSize: BATCH_SIZE,
    maxPending: MAX_WAITING_SCANS,
  });
  return (codeId, visit) => write({ codeId, visit, cached: prepareCached(services, cache, codeId, visit) });
}

async function writeScans(
  services: Services,
  cache: QrCodeCache,
  items: readonly PendingScan[],
): Promise<GroupCommitResult<GroupWriteOutcome>[]> {
  const { pool } = services.database;
  const unknown = new Set(items.flatMap(({ codeId, cached }) => (cached ? [] : [codeId])));
  const read =
    unknown.size > 0
      ? await findScannedQrCodesById(pool, [...unknown])
      : new Map<string, QrCodeWithNotificationSettings>();
  const prepared = items.map(({ codeId, visit, cached }) =>
    toOutcome(() => cached ?? prepareFromRow(services, cache, read.get(codeId), visit)),
  );
  const scans = prepared.flatMap((result) =>
    'value' in result && result.value !== 'APART'
      ? [{ ...result.value.scan, ownerBlocks: result.value.code.ownerBlocks }]
      : [],
  );
  const inserted = scans.length > 0 ? await insertScans(pool, scans) : [];
  const storedScans = new Map(inserted.map((stored) => [stored.id, stored]));
  return prepared.map((result): GroupCommitResult<GroupWriteOutcome> => {
    if ('error' in result || result.value === 'APART') return result as GroupCommitResult<'APART'>;
    const { scan, content, code, location } = result.value;
    const stored = storedScans.get(scan.id);
    if (stored) return { value: { ...stored, scannedAt: scan.scannedAt, code, content, location } };
    cache.delete(code.id);
    return { value: 'CHANGED' };
  });
}

/** Null when the code must be read. The cache never rejects: a closed code may be open by now. */
function prepareCached(
  services: Services,
  cache: QrCodeCache,
  codeId: string,
  visit: RecordScanInput,
): PreparedScan | null {
  const entry = cache.get(codeId);
  qrCodeCacheLookups.inc({ result: entry ? 'hit' : 'miss' });
  if (!entry || visit.matchedHash !== null) return null;
  const { code, content } = entry;
  if (!isQrCodeOpen(code) || needsOwnTransaction(services, code, visit)) return null;
  return { code, location: visit.location, ...prepareScan(services, code, visit, content) };
}

function prepareFromRow(
  services: Services,
  cache: QrCodeCache,
  code: QrCodeWithNotificationSettings | undefined,
  visit: RecordScanInput,
) {
  if (!code) throw new ServiceError('NOT_FOUND');
  assertQrCodeOpen(code);
  if (needsOwnTransaction(services, code, visit)) return 'APART' as const;
  const content = getVisibleQrCodeContent(services, code, false);
  cache.set(code.id, { code, content });
  return { code, location: visit.location, ...prepareScan(services, code, visit, content) };
}

function needsOwnTransaction(
  { requestGeocoding }: Services,
  code: QrCodeWithNotificationSettings,
  visit: RecordScanInput,
): boolean {
  return (
    code.kind === 'MEDICAL' || (visit.location !== null && (requestGeocoding !== null || code.ownerBlocks))
  );
}

function toOutcome<Value>(work: () => Value): GroupCommitResult<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** SQLSTATE classes 22 and 23; nothing was stored. */
function isRowError(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^2[23]/.test(code);
}
