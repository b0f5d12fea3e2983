import type { AuditAction } from '../../audit-actions.ts';
import { recordAuditEntries } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { QrCodeRow, QrCodeRowChange } from './qrcode.repository.ts';

interface AuditedUpdate {
  /** Before the update. */
  row: Pick<QrCodeRow, 'id' | 'status'>;
  changes: Pick<QrCodeRowChange, 'pinHash' | 'status'>;
  /** Those of the request that differ. */
  fields: readonly string[];
}

/** Record updates; those with the same action and fields in one statement. */
export async function recordQrCodeUpdates(
  tx: Tx,
  context: RequestContext,
  updates: readonly AuditedUpdate[],
): Promise<void> {
  const groups = new Map<string, { ids: string[]; action: AuditAction; changes: string[] }>();
  for (const update of updates)
    for (const { action, changes } of listAuditedChanges(update)) {
      const key = [action, ...changes].join();
      const group = groups.get(key) ?? { ids: [], action, changes };
      group.ids.push(update.row.id);
      groups.set(key, group);
    }
  for (const { ids, ...details } of groups.values()) await recordAuditEntries(tx, context, ids, details);
}

/** Status and PIN have actions of their own: their names alone do not say what became of them. */
function listAuditedChanges({ row, changes, fields }: AuditedUpdate) {
  const audited: { action: AuditAction; changes: string[] }[] = [];
  const others = fields.filter((field) => field !== 'status' && field !== 'pin');
  if (others.length > 0) audited.push({ action: 'QRCODE_UPDATED', changes: others });
  if (fields.includes('pin')) {
    const action = changes.pinHash === null ? 'QRCODE_PIN_REMOVED' : 'QRCODE_PIN_SET';
    audited.push({ action, changes: ['pin'] });
  }
  if (changes.status !== undefined)
    audited.push({ action: getStatusAuditAction(row.status, changes.status), changes: ['status'] });
  return audited;
}

function getStatusAuditAction(before: string, after: string): AuditAction {
  if (before === 'LOST') return 'QRCODE_REPORTED_FOUND';
  return after === 'PAUSED' ? 'QRCODE_PAUSED' : 'QRCODE_RESUMED';
}
