import type { EventObjectReader } from '../../platform/event-objects.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findScan } from './scan.repository.ts';
import { toOwnerScanView } from './scan.view.ts';
import { listScanLocations } from './scan-location.repository.ts';
import type { ScanServices } from './scan-services.ts';

/** Create the reader of the scan of an event, as GET /api/scans/{id} shows it to the owner of the code. Those of medical codes are never sent. */
export function createScanEventReader({
  database: { client },
  fieldCipher,
}: Pick<ScanServices, 'database' | 'fieldCipher'>): EventObjectReader {
  return async ({ accountId }, { id }) => {
    const row = await findScan(client, id);
    if (row?.accountId !== accountId) throw new ServiceError('NOT_FOUND');
    if (row.qrCode.kind === 'MEDICAL') return 'MEDICAL';
    return toOwnerScanView(fieldCipher, row, await listScanLocations(client, accountId, [id]));
  };
}
