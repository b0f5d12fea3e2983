import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import { QR_CODE_CHANGE_NAMES, type QrCodeChangeName } from '../../shared/domain-events.ts';

interface ChangedQrCode {
  id: string;
  accountId: string;
  version: number;
}

/** Publish a change of a code in its transaction. */
export function publishQrCodeChange(
  events: DomainEventBus,
  tx: Tx,
  { id: qrCodeId, accountId, version }: ChangedQrCode,
  event: QrCodeChangeName,
): Promise<void> {
  return events.publish(tx, event, { accountId, qrCodeId, version });
}

export interface QrCodeStatusUpdate {
  after: ChangedQrCode & { status: string };
  statusBefore: string;
}

/** Publish updates of codes by what became of their status. */
export async function publishQrCodeUpdates(
  events: DomainEventBus,
  tx: Tx,
  updates: readonly QrCodeStatusUpdate[],
): Promise<void> {
  for (const event of QR_CODE_CHANGE_NAMES)
    await events.publish(
      tx,
      event,
      ...updates
        .filter(({ after, statusBefore }) => toChangeName(statusBefore, after.status) === event)
        .map(({ after: { id: qrCodeId, accountId, version } }) => ({ accountId, qrCodeId, version })),
    );
}

function toChangeName(before: string, after: string): QrCodeChangeName {
  if (before === after) return 'code.updated';
  if (after === 'LOST') return 'code.lost';
  if (before === 'LOST') return 'code.found';
  return after === 'PAUSED' ? 'code.paused' : 'code.resumed';
}
