import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { FOUND_ITEM_REPORT, LOST_ITEM_REPORT } from './encrypted-content.ts';
import type { LostPreset } from './lost-message.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { publishQrCodeUpdates } from './publish-change.ts';
import {
  type QrCodeRow,
  type QrCodeRowChange,
  type QrCodeWithScanCounts,
  updateQrCode,
} from './qrcode.repository.ts';
import { getCurrentQrCodeStatus, toQrCodeView } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { LostItemDetails, QrCode } from './qrcodes.schemas.ts';
import { lockOwnQrCode, recordMedicalAccess } from './read-own-qrcode.ts';

/** The columns to change; null for none. */
type QrCodeStatusChange = (row: QrCodeRow) => QrCodeRowChange | null;

/** Change what `change` returns, or nothing for null, which is false. @throws NOT_FOUND, PRECONDITION_FAILED, TAG_UNCLAIMED, CONFLICT */
export async function changeOwnQrCodeStatus(
  { database, events }: Pick<QrCodeServices, 'database' | 'events'>,
  context: RequestContext,
  owned: OwnedQrCodeId,
  change: QrCodeStatusChange,
): Promise<boolean> {
  const { isChanged } = await database.transaction((tx) =>
    applyStatusChange(events, tx, context, owned, change),
  );
  return isChanged;
}

/** Change the status of a code and read it; what was not changed is a read for the audit trail. @throws as `changeOwnQrCodeStatus` */
export async function changeAndReadQrCodeStatus(
  services: QrCodeServices,
  context: RequestContext,
  owned: OwnedQrCodeId,
  change: QrCodeStatusChange,
  ifMatch: string | undefined,
): Promise<Static<typeof QrCode>> {
  return services.database.transaction(async (tx) => {
    const { row, isChanged } = await applyStatusChange(services.events, tx, context, owned, change, ifMatch);
    const view = toQrCodeView(services, row, await services.isReadOnly(tx, 'qrCodes', row));
    if (!isChanged) await recordMedicalAccess(tx, context, row);
    return view;
  });
}

async function applyStatusChange(
  events: DomainEventBus,
  tx: Tx,
  context: RequestContext,
  owned: OwnedQrCodeId,
  change: QrCodeStatusChange,
  ifMatch?: string,
): Promise<{ row: QrCodeWithScanCounts; isChanged: boolean }> {
  const before = await lockOwnQrCode(tx, owned);
  assertIfMatch(ifMatch, before.version);
  if (before.status === 'UNCLAIMED') throw new ServiceError('TAG_UNCLAIMED');
  const columns = change(before);
  if (!columns) return { row: before, isChanged: false };
  const row = await updateQrCode(tx, before, columns);
  if (!row) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  // A notice of what is lost can be replaced.
  const changes = [columns.status === before.status ? 'lost' : 'status'];
  await recordAuditEntry(tx, context, { resourceId: before.id, changes });
  await publishQrCodeUpdates(events, tx, [{ after: row, statusBefore: before.status }]);
  return { row, isChanged: true };
}

/** A preset has its text in the owner's language as `message`. */
type LostReportInput = Static<typeof LostItemDetails> & { preset?: LostPreset | undefined };

/** Mark a code as lost, with what its page says; for one that is lost, replace that. */
export function startLostReport(
  row: QrCodeRow,
  fieldCipher: FieldCipher,
  { message = null, preset, reward = null, lastSeen = null }: LostReportInput,
): QrCodeRowChange {
  const before = LOST_ITEM_REPORT.decrypt(fieldCipher, row);
  const since = before?.since ?? new Date().toISOString();
  const wasPaused = before ? before.wasPaused === true : row.status === 'PAUSED';
  const lostReport = { message, ...(preset && { preset }), reward, lastSeen, since, wasPaused };
  const lostDetails = LOST_ITEM_REPORT.encrypt(fieldCipher, row, lostReport);
  return { status: 'LOST', lostDetails, foundDetails: null, foundAt: null };
}

/** Return the previous status of a lost code; null for another code: a paused one must not become active. */
export function endLostReport(row: QrCodeRow, fieldCipher: FieldCipher): QrCodeRowChange | null {
  if (row.status !== 'LOST') return null;
  const status = LOST_ITEM_REPORT.decrypt(fieldCipher, row)?.wasPaused ? 'PAUSED' : 'ACTIVE';
  return { status, ...keepLostReportForUndo(row, fieldCipher) };
}

/** The columns of a code that is no longer lost. */
export function keepLostReportForUndo(row: QrCodeRow, fieldCipher: FieldCipher) {
  const report = LOST_ITEM_REPORT.decrypt(fieldCipher, row);
  return {
    lostDetails: null,
    foundDetails: FOUND_ITEM_REPORT.encrypt(fieldCipher, row, report),
    foundAt: report && new Date(),
  };
}

/** Undo `endLostReport`, with message, reward and place; null where there is nothing to undo. */
export function resumeLostReport(row: QrCodeRow, fieldCipher: FieldCipher): QrCodeRowChange | null {
  if (!canResumeLostReport(row)) return null;
  const report = FOUND_ITEM_REPORT.decrypt(fieldCipher, row);
  const resumed = report && { ...report, wasPaused: row.status === 'PAUSED' };
  return {
    status: 'LOST',
    lostDetails: LOST_ITEM_REPORT.encrypt(fieldCipher, row, resumed),
    foundDetails: null,
    foundAt: null,
  };
}

export function canResumeLostReport({ status, foundAt }: QrCodeRow): boolean {
  const isOpen = status === 'ACTIVE' || status === 'PAUSED';
  return (
    isOpen && foundAt !== null && Date.now() - foundAt.getTime() < LIFETIMES_SECONDS.foundItemReport * 1000
  );
}

export function pauseActiveQrCode(row: QrCodeRow): QrCodeRowChange | null {
  return getCurrentQrCodeStatus(row) === 'ACTIVE' ? { status: 'PAUSED' } : null;
}

export function resumePausedQrCode(row: QrCodeRow): QrCodeRowChange | null {
  return getCurrentQrCodeStatus(row) === 'PAUSED' ? { status: 'ACTIVE' } : null;
}
