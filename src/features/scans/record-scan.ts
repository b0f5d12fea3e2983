import { type Database, runAfterCommit, type Tx } from '../../platform/database.ts';
import type { RealtimeBus } from '../../platform/realtime/realtime-bus.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { SqlConnection } from '../../platform/sql.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { ConcurrencyLimiter } from '../../shared/limiter.ts';
import type { PrepareScanServices, RecordScanInput } from './prepare-scan.ts';
import type { RecordedScan } from './scanned-code.ts';
import { findScanningMembers } from './scanning-members.repository.ts';
import { writeScan } from './write-scan.ts';
import { createScanGroupWriter } from './write-scan-group.ts';

/** Reads of a code that changes before its scan is stored. */
const MAX_READ_ATTEMPTS = 3;

interface RealtimeServices {
  realtimeBus: Pick<RealtimeBus, 'publishToAccount'>;
}

export type ScanRecorder = (
  context: RequestContext,
  codeId: string,
  visit: RecordScanInput,
  tx?: Tx,
) => Promise<RecordedScan>;

/**
 * Every scan passes here: with others in one commit, or in a transaction, which can be that of the caller.
 * The recorder throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY, and BUSY when the queue is full.
 */
export function createScanRecorder(
  services: PrepareScanServices & RealtimeServices & { database: Database; scanLimiter: ConcurrencyLimiter },
): ScanRecorder {
  const writeInGroup = createScanGroupWriter(services);
  return async (context, codeId, input, tx) => {
    const visit = await addMembers(tx ?? services.database.pool, codeId, input);
    const write = async (own: Tx) => {
      const recorded = await writeScan(services, context, own, codeId, visit);
      runAfterCommit(own, () => publishScan(services, recorded));
      return recorded;
    };
    if (tx) return write(tx);
    for (let attempts = 0; attempts < MAX_READ_ATTEMPTS; attempts++) {
      const outcome = await writeInGroup(codeId, visit);
      if (outcome === 'APART') return services.scanLimiter(() => services.database.transaction(write));
      if (outcome === 'CHANGED') continue;
      publishScan(services, outcome);
      return outcome;
    }
    throw new ServiceError('BUSY', { retryAfterSeconds: 1 });
  };
}

/** Only a scan by somebody who is known needs a query. */
async function addMembers(
  connection: SqlConnection,
  codeId: string,
  visit: RecordScanInput,
): Promise<RecordScanInput> {
  const { scannerId, phoneUserId } = visit.visitor;
  const userIds = [scannerId, phoneUserId].filter((id) => id !== null);
  if (userIds.length === 0) return visit;
  const memberIds = await findScanningMembers(connection, codeId, userIds);
  return { ...visit, visitor: { ...visit.visitor, memberIds } };
}

/** As for webhooks, only scans by people. */
function publishScan(
  { realtimeBus }: RealtimeServices,
  { id: scanId, class: scanClass, code: { id: qrCodeId, accountId } }: RecordedScan,
): void {
  if (scanClass === 'HUMAN')
    realtimeBus.publishToAccount({ event: 'scan.created', accountId, data: { scanId, qrCodeId } });
}
