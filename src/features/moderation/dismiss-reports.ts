import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { lockQrCodeForModeration } from '../codes/index.ts';
import { decideReports } from './report.repository.ts';

/** Dismiss the open reports of a code; returns their number. @throws NOT_FOUND, NO_OPEN_REPORTS */
export async function dismissReports(tx: Tx, context: RequestContext, qrCodeId: string): Promise<number> {
  if (!(await lockQrCodeForModeration(tx, qrCodeId))) throw new ServiceError('NOT_FOUND');
  const dismissed = await decideReports(tx, qrCodeId, 'DISMISSED');
  if (dismissed === 0) throw new ServiceError('NO_OPEN_REPORTS');
  await recordAuditEntry(tx, context, { resourceId: qrCodeId });
  return dismissed;
}
