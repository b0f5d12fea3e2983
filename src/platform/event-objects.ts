import type { EventData, EventGroup } from '../shared/event-types.ts';

/** The schema of the record that an event is about, by the group of its type. */
export const EVENT_OBJECT_SCHEMAS: Readonly<Record<EventGroup, string>> = {
  code: 'QrCode',
  scan: 'ScanDetails',
  message: 'ConversationMessage',
  document: 'Document',
  guest_book: 'GuestBookEntry',
  webhook_endpoint: 'WebhookEndpoint',
};

export interface EventObjectOwner {
  accountId: string;
  /** BCP 47. */
  language: string;
}

/**
 * Reads a record as the API shows it to its owner. MEDICAL stands for what is audited when it is read, which no program
 * gets unasked. @throws NOT_FOUND, DATA_INTEGRITY
 */
export type EventObjectReader = (owner: EventObjectOwner, data: EventData) => Promise<object | 'MEDICAL'>;

export interface EventObjectReaders {
  /** Of the feature whose records they are. */
  register(group: EventGroup, read: EventObjectReader): void;
  read(group: EventGroup, owner: EventObjectOwner, data: EventData): Promise<object | 'MEDICAL'>;
}

export function createEventObjectReaders(): EventObjectReaders {
  const readers = new Map<EventGroup, EventObjectReader>();
  return {
    register(group, read) {
      readers.set(group, read);
    },
    read(group, owner, data) {
      const read = readers.get(group);
      if (!read) throw new Error(`No feature reads the records of ${group} events.`);
      return read(owner, data);
    },
  };
}
