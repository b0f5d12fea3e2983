import type { DomainEventBus } from '../../platform/events.ts';
import type { DomainEventName, DomainEventPayloads } from '../../shared/domain-events.ts';
import type { EventData, EventType } from '../../shared/event-types.ts';
import { generateId } from '../../shared/ids.ts';
import { insertEvents } from './event.repository.ts';

interface RecordedEvent {
  accountId: string;
  type: EventType;
  data: EventData;
}

const EXPIRY_EVENT_TYPES = {
  CODE_EXPIRING: 'code.expiring',
  CODE_EXPIRED: 'code.expired',
  DOCUMENT_EXPIRING: 'document.expiring',
  DOCUMENT_EXPIRED: 'document.expired',
} as const;

const MODERATION_EVENT_TYPES = {
  CODE_TAKEN_DOWN: 'code.taken_down',
  CODE_REINSTATED: 'code.reinstated',
  APPEAL_REJECTED: 'code.appeal_rejected',
} as const;

/**
 * Record domain events as events of their owner, with their deliveries, in the transaction of each. Scans insert their
 * deliveries themselves.
 * @param wake sends deliveries soon
 */
export function recordDomainEvents(events: DomainEventBus, wake: () => void): void {
  const record = <Name extends DomainEventName>(
    name: Name,
    toEvent: (event: DomainEventPayloads[Name]) => RecordedEvent,
  ) =>
    events.subscribe(name, async (tx, published) => {
      const at = new Date();
      const rows = published.map((event) => ({ id: generateId(at), at, ...toEvent(event) }));
      await insertEvents(tx, rows);
      wake();
    });

  record('code.changed', ({ change, accountId, qrCodeId, version }) => ({
    accountId,
    type: `code.${change}`,
    data: { id: qrCodeId, version },
  }));
  record('code.expiring', ({ event, accountId, qrCodeId }) => ({
    accountId,
    type: EXPIRY_EVENT_TYPES[event],
    data: { id: qrCodeId },
  }));
  record('code.moderated', ({ event, accountId, qrCodeId }) => ({
    accountId,
    type: MODERATION_EVENT_TYPES[event],
    data: { id: qrCodeId },
  }));
  record('pin.attempts-exhausted', ({ accountId, qrCodeId }) => ({
    accountId,
    type: 'code.pin_rejected',
    data: { id: qrCodeId },
  }));
  record('scan.located', ({ accountId, scanId, qrCodeId }) => ({
    accountId,
    type: 'scan.located',
    data: { id: scanId, qrCodeId },
  }));
  record('message.received', ({ accountId, messageId, conversationId, qrCodeId }) => ({
    accountId,
    type: 'message.received',
    data: { id: messageId, conversationId, qrCodeId },
  }));
  record('document.opened', ({ accountId, documentId }) => ({
    accountId,
    type: 'document.opened',
    data: { id: documentId },
  }));
  record('document.passcode-attempts-exhausted', ({ accountId, documentId }) => ({
    accountId,
    type: 'document.passcode_rejected',
    data: { id: documentId },
  }));
  record('document.infected', ({ accountId, documentId, versionId }) => ({
    accountId,
    type: 'document.infected',
    data: { id: documentId, versionId },
  }));
  record('document.expiring', ({ event, accountId, documentId }) => ({
    accountId,
    type: EXPIRY_EVENT_TYPES[event],
    data: { id: documentId },
  }));
  record('guest-book.signed', ({ accountId, entryId, memoryTagId, qrCodeId }) => ({
    accountId,
    type: 'guest_book.signed',
    data: { id: entryId, memoryTagId, qrCodeId },
  }));
}
