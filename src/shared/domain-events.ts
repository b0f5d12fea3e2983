/** A document that somebody opened, or tried to open. */
interface DocumentAccess {
  ownerId: string;
  documentId: string;
  title: string;
}

/** A scan as its owner is notified of it. */
export interface ScanRecorded {
  ownerId: string;
  qrCodeId: string;
  scanId: string;
  title: string;
  isLost: boolean;
  /** The city, else the region or country; null where none is known. */
  place: string | null;
}

/** What users are notified of about a subscription or an invoice. */
export const BILLING_EVENTS = [
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

/** A change of a subscription or an invoice. The same `key` is published once, whatever the order of webhooks. */
export interface BillingChanged {
  userId: string;
  key: string;
  event: (typeof BILLING_EVENTS)[number];
  /** Ids of our rows, an amount in minor units, a time as ISO 8601. */
  data: {
    subscriptionId?: string;
    invoiceId?: string;
    packageCode?: string;
    amount?: string;
    currency?: string;
    at?: string;
  };
}

/**
 * The catalogue of domain events: what happens in one feature and concerns others. A feature publishes in the
 * transaction of the change; subscribers write in the same transaction. Payloads never hold content of messages.
 */
export interface DomainEvents {
  'mail.settled': {
    mailIds: readonly string[];
    status: 'WAITING' | 'DELIVERED' | 'FAILED';
    reason: string | null;
    /** Whether the mail was given to the mail server; false for mails whose worker was lost. */
    isAttempted: boolean;
  };
  'user.logged-in': { userId: string };
  'user.password-changed': { userId: string };
  'user.second-factor-changed': { userId: string; isEnabled: boolean };
  'user.role-changed': { userId: string; role: string };
  'subscription.changed': BillingChanged;
  'code.expiring': {
    event: 'CODE_EXPIRING' | 'CODE_EXPIRED';
    /** One notification for each end of a code. */
    key: string;
    ownerId: string;
    qrCodeId: string;
    title: string;
    expiresAt: Date;
    timeZone: string;
  };
  'scan.located': ScanRecorded & { locationId: string };
  'pin.attempts-exhausted': { ownerId: string; qrCodeId: string; title: string };
  'document.opened': DocumentAccess;
  'document.passcode-attempts-exhausted': DocumentAccess;
  /** To whoever has this address, at the same cost where nobody has it. */
  'document.granted': { grantId: string; email: string };
  'document.infected': DocumentAccess & { versionId: string };
  'document.expiring': {
    event: 'DOCUMENT_EXPIRING' | 'DOCUMENT_EXPIRED';
    key: string;
    ownerId: string;
    documentId: string;
    title: string;
    expiresOn: Date;
  };
  'message.received': {
    ownerId: string;
    qrCodeId: string;
    conversationId: string;
    messageId: string;
    title: string;
  };
  'guest-book.signed': {
    ownerId: string;
    entryId: string;
    memoryTagId: string;
    qrCodeId: string;
    /** Name of the person the memory tag is for. */
    remembered: string;
  };
  /** To whoever has this address, at the same cost where nobody has it. */
  'caretaker.named': { caretakerId: string; memoryTagId: string; email: string };
  'memory-tag.anniversary': {
    event: 'BIRTH_ANNIVERSARY' | 'DEATH_ANNIVERSARY';
    userId: string;
    memoryTagId: string;
    qrCodeId: string | null;
    name: string;
    /** The day that is remembered, YYYY-MM-DD. */
    date: string;
    year: number;
  };
  'break-glass.used': { ownerId: string; resourceType: 'QRCODE' | 'SCAN'; resourceId: string };
}

export type DomainEventName = keyof DomainEvents;
