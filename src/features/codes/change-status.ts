import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { decryptLostItemReport } from './encrypted-content.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { publishQrCodeUpdates } from './publish-change.ts';
import {
  type QrCodeRow,
  type QrCodeRowChange,
  type QrCodeWithScanCounts,
  updateQrCode,
} from './qrcode.repository.ts';
import { getCurrentQrCodeStatus } from './qrcode.view.ts';
import { lockOwnQrCode } from './read-own-qrcode.ts';

export interface QrCodeStatusChange {
  row: QrCodeWithScanCounts;
  isChanged: boolean;
}

/** Lock a code and change what `change` returns, or nothing for null. @throws NOT_FOUND, PRECONDITION_FAILED, CONFLICT */
export async function changeOwnQrCodeStatus(
  events: DomainEventBus,
  tx: Tx,
  context: RequestContext,
  owned: OwnedQrCodeId,
  change: (row: QrCodeRow) => QrCodeRowChange | null,
  ifMatch?: string,
): Promise<QrCodeStatusChange> {
  const before = await lockOwnQrCode(tx, owned);
  assertIfMatch(ifMatch, before.version);
  const columns = change(before);
  if (!columns) return { row: before, isChanged: false };
  const row = await updateQrCode(tx, before, columns);
  if (!row) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  await recordAuditEntry(tx, context, { resourceId: before.id, changes: ['status'] });
  await publishQrCodeUpdates(events, tx, [{ after: row, statusBefore: before.status }]);
  return { row, isChanged: true };
}

/** Return the previous status of a lost code; null for another code: a paused one must not become active. */
export function endLostReport(row: QrCodeRow, fieldCipher: FieldCipher): QrCodeRowChange | null {
  if (row.status !== 'LOST') return null;
  const status = decryptLostItemReport(fieldCipher, row)?.wasPaused ? 'PAUSED' : 'ACTIVE';
  return { status, lostDetails: null };
}

export function pauseActiveQrCode(row: QrCodeRow): QrCodeRowChange | null {
  return getCurrentQrCodeStatus(row) === 'ACTIVE' ? { status: 'PAUSED' } : null;
}

export function resumePausedQrCode(row: QrCodeRow): QrCodeRowChange | null {
  return getCurrentQrCodeStatus(row) === 'PAUSED' ? { status: 'ACTIVE' } : null;
}
