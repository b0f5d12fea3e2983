import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { QrCodeChangeName } from '../../shared/domain-events.ts';

interface ChangedQrCode {
  id: string;
  ownerId: string;
  version: number;
}

/** Publish a change of a code in its transaction. */
export function publishQrCodeChange(
  events: DomainEventBus,
  tx: Tx,
  { id: qrCodeId, ownerId, version }: ChangedQrCode,
  change: QrCodeChangeName,
): Promise<void> {
  return events.publish(tx, 'code.changed', { change, ownerId, qrCodeId, version });
}

/** Publish an update of a code by what became of its status. */
export function publishQrCodeUpdate(
  events: DomainEventBus,
  tx: Tx,
  before: { status: string },
  after: ChangedQrCode & { status: string },
): Promise<void> {
  return publishQrCodeChange(events, tx, after, toChangeName(before.status, after.status));
}

function toChangeName(before: string, after: string): QrCodeChangeName {
  if (before === after) return 'updated';
  if (after === 'LOST') return 'lost';
  if (before === 'LOST') return 'found';
  return after === 'PAUSED' ? 'paused' : 'resumed';
}
