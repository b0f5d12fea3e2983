import type { Database } from '../../platform/database.ts';
import { createGroupCommit, type GroupCommitResult } from '../../platform/group-commit.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Limiter } from '../../shared/limiter.ts';
import { type CodeCache, createCodeCache } from './code-cache.ts';
import { type NewScan, recordScans } from './insert-scan.repository.ts';
import { type PreparingServices, prepareScan, type Visit } from './prepare-scan.ts';
import { recordApart } from './record-apart.ts';
import { queryOf } from './scan-query.ts';
import { findScannedCodes } from './scanned-code.repository.ts';
import {
  isOpen,
  type Recorded,
  refuseClosed,
  type Shown,
  showCode,
  type TellingCode,
} from './scanned-code.ts';

/** Scans of one statement at most. */
const AT_ONCE = 256;

/** Scans that may wait; at a fraction of a millisecond each nobody waits for long. */
const WAITING = 2_000;

/** A code that changes between reading it and storing its scan is read again so many times. */
const READINGS = 3;

type Services = PreparingServices & { database: Database; scanQueue: Limiter };

/** A scan that is to be stored, and what it shows of which code. */
interface Ready {
  code: TellingCode;
  scan: NewScan;
  shown: Shown;
  location: Visit['location'];
}

interface Item {
  codeId: string;
  visit: Visit;
  ready: Ready | null;
}

/** What a scan came to: it waits for a transaction of its own, or its code has changed while it was on its way. */
type Written = Recorded | 'APART' | 'CHANGED';

/** Records visits to codes as scans; those that come at the same time share a commit. */
export type ScanRecorder = (context: RequestContext, codeId: string, visit: Visit) => Promise<Recorded>;

/**
 * Scans are read, shown and stored together as they come, each answered after its commit. One of a medical code has a
 * transaction of its own, with its audit entry, and so has one whose position a server is to name, or whose owner blocks somebody. A recorder throws
 * NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY, and BUSY when too many wait.
 */
export function createScanRecorder(services: Services): ScanRecorder {
  const known = createCodeCache();
  const record = createGroupCommit<Item, Written>({
    write: (items) => writeScans(services, known, items),
    isFaultOfItem: isFaultOfRow,
    most: AT_ONCE,
    waiting: WAITING,
  });
  return async (context, codeId, visit) => {
    for (let readings = 0; readings < READINGS; readings++) {
      const ready = prepareKnown(services, known, codeId, visit);
      const written = await record({ codeId, visit, ready });
      if (written === 'APART') {
        return services.scanQueue(() =>
          services.database.transaction((tx) => recordApart(services, context, tx, codeId, visit)),
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
  items: readonly Item[],
): Promise<GroupCommitResult<Written>[]> {
  const query = queryOf(services.database.pool);
  const unknown = new Set(items.flatMap(({ codeId, ready }) => (ready ? [] : [codeId])));
  const read =
    unknown.size > 0 ? await findScannedCodes(query, [...unknown]) : new Map<string, TellingCode>();
  const prepared = items.map(({ codeId, visit, ready }) =>
    attempt(() => ready ?? prepareRead(services, known, read.get(codeId), visit)),
  );
  const scans = prepared.flatMap((one) => ('value' in one && one.value !== 'APART' ? [one.value.scan] : []));
  const stored = scans.length > 0 ? await recordScans(query, scans) : [];
  const ids = new Set(stored.map(({ id }) => id));
  return prepared.map((one): GroupCommitResult<Written> => {
    if ('error' in one || one.value === 'APART') return one as GroupCommitResult<'APART'>;
    const { scan, shown, code, location } = one.value;
    if (ids.has(scan.id)) return { value: { id: scan.id, scannedAt: scan.scannedAt, code, shown, location } };
    known.delete(code.id);
    return { value: 'CHANGED' };
  });
}

/**
 * A visit to a code that is known, prepared while others are being stored; null where the code is to be read first. What
 * is known refuses nobody: a code that was closed may be open by now.
 */
function prepareKnown(services: Services, known: CodeCache, codeId: string, visit: Visit): Ready | null {
  const entry = known.get(codeId);
  if (!entry || visit.provenHash !== null) return null;
  const { code, shown } = entry;
  if (!isOpen(code) || isApart(services, code, visit)) return null;
  return { code, location: visit.location, ...prepareScan(services, code, visit, shown) };
}

function prepareRead(services: Services, known: CodeCache, code: TellingCode | undefined, visit: Visit) {
  if (!code) throw new ServiceError('NOT_FOUND');
  refuseClosed(code);
  if (isApart(services, code, visit)) return 'APART' as const;
  const shown = showCode(services.fieldCipher, code, false);
  known.set(code.id, { code, shown });
  return { code, location: visit.location, ...prepareScan(services, code, visit, shown) };
}

/** Whether a scan needs a transaction of its own: it may show medical content, or its position is to be named, or perhaps not wanted. */
function isApart({ requestGeocoding: askForAddress }: Services, code: TellingCode, visit: Visit): boolean {
  return code.kind === 'MEDICAL' || (visit.location !== null && (askForAddress !== null || code.ownerBlocks));
}

function attempt<Value>(work: () => Value): GroupCommitResult<Value> {
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
