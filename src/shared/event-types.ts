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

/**
 * The catalogue of event names: `group.what_happened`, the same for webhooks, GET /api/events, the WebSocket,
 * notifications, preferences, unsubscribe links and domain events. These are sent to webhooks, those below are not.
 */
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
  'code.transferred': defineEventType(
    'A code came from another account, or went to one; then its path is 404.',
    getQrCodePath,
  ),
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
  'message.created': defineEventType(
    'A finder wrote a message. The WebSocket has those of owners, too.',
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

/** What events of a type are about. */
export type EventGroup = EventType extends `${infer Group}.${string}` ? Group : never;

/** Users are notified of these. Webhooks do not get them, or get a wider event that the meaning names. */
export const NOTIFICATION_ONLY_EVENTS = {
  'code.scanned_while_lost': 'A person scanned a lost code; `scan.created` for webhooks.',
  'scan.digest':
    'Scans, or alerts of a code, in one summary; `scan.created` and `scan.located` for webhooks.',
  'document.granted': 'Somebody gave the user access to a document.',
  'conversation.assigned': 'Another member of an organization made the user answer a conversation.',
  'caretaker.added': 'Somebody made the user a caretaker of a memory tag.',
  'memory_tag.birth_anniversary': 'A birthday of somebody remembered.',
  'memory_tag.death_anniversary': 'The day on which somebody remembered died.',
  'subscription.started': 'A subscription has started.',
  'subscription.changed': 'The package of a subscription was changed.',
  'subscription.ending': 'A subscription was canceled and ends with its period.',
  'subscription.ended': 'A subscription has ended.',
  'subscription.paused': 'A subscription is paused, since a payment is missing.',
  'subscription.resumed': 'A paused subscription is active again.',
  'subscription.trial_ending': 'A trial ends soon.',
  'payment.received': 'An invoice was paid.',
  'payment.failed': 'A payment failed.',
  'payment.action_required': 'A payment has to be confirmed.',
  'payment.refunded': 'A payment was refunded.',
  'payment.disputed': 'A payment was disputed.',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled, since it failed for too long or is gone.',
  'login.created': 'Somebody logged in to the account.',
  'password.changed': 'The password was changed.',
  'second_factor.enabled': 'The second factor was switched on.',
  'second_factor.disabled': 'The second factor was switched off.',
  'role.changed': 'An administrator changed the role of the user.',
  'break_glass.opened': 'An administrator opened encrypted data of the account.',
} as const;

/** Only the WebSocket sends these, beside `message.created`; `realtime.schemas.ts` says what they mean. */
export type RealtimeOnlyEventName =
  | 'notification.created'
  | 'notification.read'
  | 'message.read'
  | 'conversation.ended'
  | 'conversation.reopened'
  | 'conversation.updated';

/** `message.replied`: the mail to a finder about the `message.created` of an owner. `scan.place_changed`: of each position
 * and each address that is found for one, while `scan.located` is of those that the owner is notified of. The others are no events of a user. */
type InternalEventName =
  | 'message.replied'
  | 'scan_report.sent'
  | 'scan.place_changed'
  | 'mail.settled'
  | 'membership.changed'
  | 'code.moved';

export type EventName =
  | EventType
  | keyof typeof NOTIFICATION_ONLY_EVENTS
  | RealtimeOnlyEventName
  | InternalEventName;

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];

/** All, all of a group, or one. */
export const EVENT_TYPE_PATTERNS: readonly string[] = [
  '*',
  ...new Set(EVENT_TYPE_NAMES.map(getGroupPattern)),
  ...EVENT_TYPE_NAMES,
].filter((name) => !name.startsWith('webhook_endpoint.'));

/** The patterns that include a type. */
export function getMatchingEventPatterns(type: EventType): string[] {
  return ['*', getGroupPattern(type), type];
}

export function getEventGroup(type: EventType): EventGroup {
  return type.slice(0, type.indexOf('.')) as EventGroup;
}

function getGroupPattern(type: EventType): string {
  return `${getEventGroup(type)}.*`;
}

function defineEventType(meaning: string, getPath: EventTypeDefinition['getPath']): EventTypeDefinition {
  return { meaning, getPath };
}
