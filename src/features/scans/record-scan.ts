import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { createGroupCommit, type Outcome } from '../../platform/group-commit.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type CodeCache, createCodeCache } from './code-cache.ts';
import { recordScans } from './insert-scan.repository.ts';
import { type PreparingServices, prepareScan, type Visit } from './prepare-scan.ts';
import { queryIn, queryOf } from './scan-query.ts';
import type { ScanQueue } from './scan-queue.ts';
import { findScannedCodes, holdCode } from './scanned-code.repository.ts';
import { findOpenCode, refuseClosed, type ScannedCode, type Shown, showCode } from './scanned-code.ts';

/** A scan that was stored, and what it shows of which code. */
export interface Recorded {
  id: string;
  scannedAt: Date;
  code: ScannedCode;
  shown: Shown;
}

/** Scans of one statement at most. */
const AT_ONCE = 256;

/** Scans that may wait; at a fraction of a millisecond each nobody waits for long. */
const WAITING = 2_000;

/** A code that changes between reading it and storing its scan is read again so many times. */
const READINGS = 3;

type Services = PreparingServices & { database: Database; scanQueue: ScanQueue };

/** What a scan came to: it waits for a transaction of its own, or its code has changed while it was on its way. */
type Written = Recorded | 'APART' | 'CHANGED';

/** Records visits to codes as scans; those that come at the same time share a commit. */
export type ScanRecorder = (caller: Caller, codeId: string, visit: Visit) => Promise<Recorded>;

/**
 * Scans are read, shown and stored together as they come, each answered after its commit. One of a medical code has a
 * transaction of its own, with its audit entry, and so has one whose position a server is to name. A recorder throws
 * NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY, and BUSY when too many wait.
 */
export function createScanRecorder(services: Services): ScanRecorder {
  const known = createCodeCache();
  const record = createGroupCommit<{ codeId: string; visit: Visit }, Written>({
    write: (items) => writeScans(services, known, items),
    isFaultOfItem: isFaultOfRow,
    most: AT_ONCE,
    waiting: WAITING,
  });
  return async (caller, codeId, visit) => {
    for (let readings = 0; readings < READINGS; readings++) {
      const written = await record({ codeId, visit });
      if (written === 'APART') {
        return services.scanQueue(() =>
          services.database.transaction((tx) => recordApart(services, caller, tx, codeId, visit)),
        );
      }
      if (written !== 'CHANGED') return written;
    }
    throw new ServiceError('BUSY', { retryAfterSeconds: 1 });
  };
}

async function writeScans(
  services: Services,
  known: CodeCache,
  items: readonly { codeId: string; visit: Visit }[],
): Promise<Outcome<Written>[]> {
  const query = queryOf(services.database.pool);
  const unknown = [...new Set(items.map(({ codeId }) => codeId))].filter((id) => !known.has(id));
  const read = unknown.length > 0 ? await findScannedCodes(query, unknown) : new Map<string, ScannedCode>();
  const prepared = items.map(({ codeId, visit }) =>
    attempt(() => {
      const code = known.get(codeId)?.code ?? read.get(codeId);
      if (!code) throw new ServiceError('NOT_FOUND');
      refuseClosed(code);
      if (isApart(services, code, visit)) return 'APART' as const;
      const shown = known.get(codeId)?.shown ?? showCode(services.vault, code, false);
      known.set(codeId, { code, shown });
      return { code, ...prepareScan(services, code, visit, shown) };
    }),
  );
  const scans = prepared.flatMap((one) => ('value' in one && one.value !== 'APART' ? [one.value.scan] : []));
  const stored = scans.length > 0 ? await recordScans(query, scans) : [];
  const ids = new Set(stored.map(({ id }) => id));
  return prepared.map((one): Outcome<Written> => {
    if ('error' in one || one.value === 'APART') return one as Outcome<'APART'>;
    const { scan, shown, code } = one.value;
    if (ids.has(scan.id)) return { value: { id: scan.id, scannedAt: scan.scannedAt, code, shown } };
    known.delete(code.id);
    return { value: 'CHANGED' };
  });
}

/** Whether a scan needs a transaction of its own: it may show medical content, or its position is to be named. */
function isApart({ askForAddress }: Services, code: ScannedCode, visit: Visit): boolean {
  return code.kind === 'MEDICAL' || (visit.location !== null && askForAddress !== null);
}

function attempt<Value>(work: () => Value): Outcome<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** A value that the database refuses: of many rows one is at fault, and nothing was stored (SQLSTATE classes 22 and 23). */
function isFaultOfRow(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^2[23]/.test(code);
}

/**
 * Records a scan in a transaction, with the audit entry where medical content is shown. The code is held from the
 * beginning, so that it does not change on the way. Throws what a recorder throws but BUSY.
 */
export async function recordApart(
  services: PreparingServices,
  caller: Caller,
  tx: Tx,
  codeId: string,
  visit: Visit,
): Promise<Recorded> {
  await holdCode(tx, codeId);
  const code = await findOpenCode(tx, codeId);
  const { scan, shown } = prepareScan(services, code, visit, null);
  await auditMedical(caller, tx, code, shown);
  if (scan.position) await services.askForAddress?.(tx, { table: 'scans', id: scan.id });
  if ((await recordScans(queryIn(tx), [scan])).length === 0) throw new ServiceError('NOT_FOUND');
  return { id: scan.id, scannedAt: scan.scannedAt, code, shown };
}

function showsMedical(code: { kind: string }, shown: Shown): boolean {
  return code.kind === 'MEDICAL' && shown.profile !== null;
}

/** The audit entry of showing medical content; none where nothing is shown. */
export async function auditMedical(
  caller: Caller,
  tx: Tx,
  code: { id: string; kind: string },
  shown: Shown,
): Promise<void> {
  if (!showsMedical(code, shown)) return;
  await recordAction(tx, caller, {
    action: 'MEDICAL_DATA_SCANNED',
    resourceType: 'QRCODE',
    resourceId: code.id,
  });
}
