import type { DomainEventBus } from '../../platform/events.ts';
import {
  type DomainEventName,
  type DomainEventPayloads,
  QR_CODE_CHANGE_NAMES,
} from '../../shared/domain-events.ts';
import type { EventData, EventType } from '../../shared/event-types.ts';
import { generateId } from '../../shared/ids.ts';
import { insertEvents } from './event.repository.ts';

interface RecordedEvent {
  accountId: string;
  data: EventData;
}

/**
 * Record domain events as events of their owner, with their deliveries, in the transaction of each. Scans insert their
 * deliveries themselves.
 * @param wake sends deliveries soon
 */
export function recordDomainEvents(events: DomainEventBus, wake: () => void): void {
  const record = <Name extends DomainEventName & EventType>(
    type: Name,
    toEvent: (event: DomainEventPayloads[Name]) => RecordedEvent,
  ) =>
    events.subscribe(type, async (tx, published) => {
      const at = new Date();
      const rows = published.map((event) => ({ id: generateId(at), at, type, ...toEvent(event) }));
      await insertEvents(tx, rows);
      wake();
    });

  for (const name of QR_CODE_CHANGE_NAMES)
    record(name, ({ accountId, qrCodeId, version }) => ({ accountId, data: { id: qrCodeId, version } }));
  record('code.expiring', toQrCodeEvent);
  record('code.expired', toQrCodeEvent);
  record('code.taken_down', toQrCodeEvent);
  record('code.reinstated', toQrCodeEvent);
  record('code.appeal_rejected', toQrCodeEvent);
  record('code.pin_rejected', toQrCodeEvent);
  record('scan.located', ({ accountId, scanId, qrCodeId }) => ({
    accountId,
    data: { id: scanId, qrCodeId },
  }));
  record('message.created', ({ accountId, messageId, conversationId, qrCodeId }) => ({
    accountId,
    data: { id: messageId, conversationId, qrCodeId },
  }));
  record('document.opened', toDocumentEvent);
  record('document.passcode_rejected', toDocumentEvent);
  record('document.expiring', toDocumentEvent);
  record('document.expired', toDocumentEvent);
  record('document.infected', ({ accountId, documentId, versionId }) => ({
    accountId,
    data: { id: documentId, versionId },
  }));
  record('guest_book.signed', ({ accountId, entryId, memoryTagId, qrCodeId }) => ({
    accountId,
    data: { id: entryId, memoryTagId, qrCodeId },
  }));
}

function toQrCodeEvent({ accountId, qrCodeId }: { accountId: string; qrCodeId: string }): RecordedEvent {
  return { accountId, data: { id: qrCodeId } };
}

function toDocumentEvent({
  accountId,
  documentId,
}: {
  accountId: string;
  documentId: string;
}): RecordedEvent {
  return { accountId, data: { id: documentId } };
}
