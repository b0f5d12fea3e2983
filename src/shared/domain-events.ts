interface DocumentAccess {
  accountId: string;
  documentId: string;
  title: string;
}

export interface ScanRecordedEvent {
  accountId: string;
  qrCodeId: string;
  scanId: string;
  title: string;
  isLost: boolean;
  place: string | null;
}

export const BILLING_EVENT_NAMES = [
  'SUBSCRIPTION_STARTED',
  'SUBSCRIPTION_CHANGED',
  'SUBSCRIPTION_ENDING',
  'SUBSCRIPTION_ENDED',
  'SUBSCRIPTION_PAUSED',
  'SUBSCRIPTION_RESUMED',
  'TRIAL_ENDING',
  'PAYMENT_RECEIVED',
  'PAYMENT_FAILED',
  'PAYMENT_ACTION_NEEDED',
  'PAYMENT_REFUNDED',
  'PAYMENT_DISPUTED',
] as const;

/** A change of a subscription or an invoice. The same `key` is published once. */
export interface BillingChangedEvent {
  userId: string;
  key: string;
  event: (typeof BILLING_EVENT_NAMES)[number];
  data: {
    subscriptionId?: string;
    invoiceId?: string;
    packageCode?: string;
    amount?: string;
    currency?: string;
    at?: string;
  };
}

/** Decisions of administrators about a code. */
export type ModerationEventName = 'CODE_TAKEN_DOWN' | 'CODE_REINSTATED' | 'APPEAL_REJECTED';

/** What owners do with a code. */
export type QrCodeChangeName =
  | 'created'
  | 'updated'
  | 'paused'
  | 'resumed'
  | 'lost'
  | 'found'
  | 'deleted'
  | 'restored';

/** Publishers and subscribers write in the same transaction. Payloads never have message content. */
export interface DomainEventPayloads {
  'mail.settled': {
    mailIds: readonly string[];
    status: 'WAITING' | 'DELIVERED' | 'NOT_SENT' | 'FAILED';
    reason: string | null;
    /** Whether the mail server was asked; false for mails that are not to be sent or whose worker was lost. */
    isAttempted: boolean;
  };
  'user.logged-in': { userId: string };
  'user.password-changed': { userId: string };
  'user.second-factor-changed': { userId: string; isEnabled: boolean };
  'user.role-changed': { userId: string; role: string };
  'subscription.changed': BillingChangedEvent;
  'code.expiring': {
    event: 'CODE_EXPIRING' | 'CODE_EXPIRED';
    /** Unique for each expiry of a code. */
    key: string;
    accountId: string;
    qrCodeId: string;
    title: string;
    expiresAt: Date;
    timeZone: string;
  };
  'code.changed': {
    change: QrCodeChangeName;
    accountId: string;
    qrCodeId: string;
    version: number;
  };
  'webhook-endpoint.disabled': { userId: string; webhookEndpointId: string };
  'scan.located': ScanRecordedEvent & { locationId: string };
  'pin.attempts-exhausted': { accountId: string; qrCodeId: string; title: string };
  'document.opened': DocumentAccess;
  'document.passcode-attempts-exhausted': DocumentAccess;
  /** Must cost the same where no user has this address. */
  'document.granted': { grantId: string; email: string };
  'document.infected': DocumentAccess & { versionId: string };
  'document.expiring': {
    event: 'DOCUMENT_EXPIRING' | 'DOCUMENT_EXPIRED';
    key: string;
    accountId: string;
    documentId: string;
    title: string;
    expiresOn: Date;
  };
  'message.received': {
    accountId: string;
    qrCodeId: string;
    conversationId: string;
    messageId: string;
    title: string;
  };
  'guest-book.signed': {
    accountId: string;
    entryId: string;
    memoryTagId: string;
    qrCodeId: string;
    remembered: string;
  };
  /** Must cost the same where no user has this address. */
  'caretaker.named': { caretakerId: string; memoryTagId: string; email: string };
  'memory-tag.anniversary': {
    event: 'BIRTH_ANNIVERSARY' | 'DEATH_ANNIVERSARY';
    userId: string;
    memoryTagId: string;
    qrCodeId: string | null;
    name: string;
    date: string;
    year: number;
  };
  'code.moderated': {
    event: ModerationEventName;
    /** Unique for each decision. */
    key: string;
    accountId: string;
    qrCodeId: string;
    title: string;
    category: string;
  };
  'break-glass.used': { accountId: string; resourceType: 'QRCODE' | 'SCAN'; resourceId: string };
}

export type DomainEventName = keyof DomainEventPayloads;
