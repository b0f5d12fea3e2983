import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { QrCodeChangeName } from '../../shared/domain-events.ts';

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
  change: QrCodeChangeName,
): Promise<void> {
  return events.publish(tx, 'code.changed', { change, accountId, qrCodeId, version });
}

export interface QrCodeStatusUpdate {
  after: ChangedQrCode & { status: string };
  statusBefore: string;
}

/** Publish updates of codes by what became of their status. */
export function publishQrCodeUpdates(
  events: DomainEventBus,
  tx: Tx,
  updates: readonly QrCodeStatusUpdate[],
): Promise<void> {
  return events.publish(
    tx,
    'code.changed',
    ...updates.map(({ after: { id, accountId, version, status }, statusBefore }) => ({
      change: toChangeName(statusBefore, status),
      accountId,
      qrCodeId: id,
      version,
    })),
  );
}

function toChangeName(before: string, after: string): QrCodeChangeName {
  if (before === after) return 'updated';
  if (after === 'LOST') return 'lost';
  if (before === 'LOST') return 'found';
  return after === 'PAUSED' ? 'paused' : 'resumed';
}
