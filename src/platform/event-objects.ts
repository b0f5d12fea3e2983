import type { Permission } from '../permissions.ts';
import type { EventData, EventGroup } from '../shared/event-types.ts';

/** By the group of an event type: the schema of the record that the event is about, and the permission to read it. */
export const EVENT_OBJECTS: Readonly<Record<EventGroup, { schema: string; permission: Permission }>> = {
  code: { schema: 'QrCode', permission: 'qrcodes:own' },
  scan: { schema: 'ScanDetails', permission: 'scans:own' },
  message: { schema: 'ConversationMessage', permission: 'conversations:own' },
  document: { schema: 'Document', permission: 'documents:own' },
  guest_book: { schema: 'GuestBookEntry', permission: 'memory-tags:own' },
  webhook_endpoint: { schema: 'WebhookEndpoint', permission: 'webhooks:own' },
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
