import type { NotificationEventName } from './i18n/notification-text.ts';

/** Ids and numbers of what an event is about; never its content. */
export type EventData = Readonly<{
  /** That of the object. */
  id: string;
  version?: number;
  qrCodeId?: string;
  conversationId?: string;
  memoryTagId?: string;
  versionId?: string;
}>;

interface EventTypeDefinition {
  meaning: string;
  /** Path of the API that reads the object. */
  getPath(data: EventData): string;
}

const getQrCodePath = ({ id }: EventData) => `/api/qrcodes/${id}`;
const getScanPath = ({ id }: EventData) => `/api/scans/${id}`;
const getDocumentPath = ({ id }: EventData) => `/api/documents/${id}`;

/** What webhooks and GET /api/events name; `notification.created` of the WebSocket has the same name in `eventType`. */
export const EVENT_TYPES = {
  'code.created': defineEventType('A code was created.', getQrCodePath),
  'code.updated': defineEventType('A code was changed.', getQrCodePath),
  'code.paused': defineEventType('A code was paused.', getQrCodePath),
  'code.resumed': defineEventType('A paused code is active again.', getQrCodePath),
  'code.lost': defineEventType('An item was reported as lost.', getQrCodePath),
  'code.found': defineEventType('A lost item was found.', getQrCodePath),
  'code.deleted': defineEventType(
    'A code was deleted; its path is 404 unless it is restored.',
    getQrCodePath,
  ),
  'code.restored': defineEventType('A deleted code was restored.', getQrCodePath),
  'code.expiring': defineEventType('A code expires soon.', getQrCodePath),
  'code.expired': defineEventType('A code has expired.', getQrCodePath),
  'code.pin_rejected': defineEventType('Wrong PINs used up the attempts at a code.', getQrCodePath),
  'code.taken_down': defineEventType('Administrators withhold a code.', getQrCodePath),
  'code.reinstated': defineEventType('Administrators no longer withhold a code.', getQrCodePath),
  'code.appeal_rejected': defineEventType('Administrators rejected an appeal.', getQrCodePath),
  'scan.created': defineEventType(
    'A person scanned a code (class HUMAN), whatever you are notified of.',
    getScanPath,
  ),
  'scan.located': defineEventType('A finder shared their position.', getScanPath),
  'message.received': defineEventType(
    'A finder wrote a message.',
    ({ conversationId }) => `/api/conversations/${conversationId}/messages`,
  ),
  'document.opened': defineEventType('A document was opened.', getDocumentPath),
  'document.passcode_rejected': defineEventType(
    'Wrong passcodes used up the attempts at a share link.',
    getDocumentPath,
  ),
  'document.infected': defineEventType('Malware was found in a document.', getDocumentPath),
  'document.expiring': defineEventType('A document expires soon.', getDocumentPath),
  'document.expired': defineEventType('A document has expired.', getDocumentPath),
  'guest_book.signed': defineEventType(
    'Somebody signed a guest book.',
    ({ memoryTagId }) => `/api/memory-tags/${memoryTagId}/guest-book`,
  ),
  'webhook_endpoint.verification': defineEventType(
    'Asks a new address for the value of `data.challenge`. Not in GET /api/events.',
    ({ id }) => `/api/webhook-endpoints/${id}`,
  ),
  'webhook_endpoint.test': defineEventType(
    'A test that you sent to a webhook endpoint. Not in GET /api/events.',
    ({ id }) => `/api/webhook-endpoints/${id}`,
  ),
} as const;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];

/** All, all of a group, or one. */
export const EVENT_TYPE_PATTERNS: readonly string[] = [
  '*',
  ...new Set(EVENT_TYPE_NAMES.map(getGroupPattern)),
  ...EVENT_TYPE_NAMES,
].filter((name) => !name.startsWith('webhook_endpoint.'));

/** Event types of notifications. Those of the account and of its subscription have none. */
const NOTIFICATION_EVENT_TYPES: Partial<Record<NotificationEventName, EventType>> = {
  QR_CODE_SCANNED: 'scan.created',
  LOST_CODE_SCANNED: 'scan.created',
  SCAN_LOCATED: 'scan.located',
  MESSAGE_RECEIVED: 'message.received',
  PIN_REJECTED: 'code.pin_rejected',
  CODE_EXPIRING: 'code.expiring',
  CODE_EXPIRED: 'code.expired',
  CODE_TAKEN_DOWN: 'code.taken_down',
  CODE_REINSTATED: 'code.reinstated',
  APPEAL_REJECTED: 'code.appeal_rejected',
  DOCUMENT_OPENED: 'document.opened',
  PASSCODE_REJECTED: 'document.passcode_rejected',
  DOCUMENT_INFECTED: 'document.infected',
  DOCUMENT_EXPIRING: 'document.expiring',
  DOCUMENT_EXPIRED: 'document.expired',
  GUEST_BOOK_SIGNED: 'guest_book.signed',
};

export function getNotificationEventType(event: string): EventType | null {
  return (NOTIFICATION_EVENT_TYPES as Record<string, EventType | undefined>)[event] ?? null;
}

/** The patterns that include a type. */
export function getMatchingEventPatterns(type: EventType): string[] {
  return ['*', getGroupPattern(type), type];
}

function getGroupPattern(type: EventType): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}

function defineEventType(meaning: string, getPath: EventTypeDefinition['getPath']): EventTypeDefinition {
  return { meaning, getPath };
}
