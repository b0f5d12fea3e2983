import type { AccountRole } from './account-roles.ts';
import type { EventName } from './event-types.ts';

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
  /** City, region or, if neither is known, the country: never the exact position. */
  place: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

export const BILLING_EVENT_NAMES = [
  'subscription.started',
  'subscription.changed',
  'subscription.ending',
  'subscription.ended',
  'subscription.paused',
  'subscription.resumed',
  'subscription.trial_ending',
  'payment.received',
  'payment.failed',
  'payment.action_required',
  'payment.refunded',
  'payment.disputed',
] as const satisfies readonly EventName[];

export type BillingEventName = (typeof BILLING_EVENT_NAMES)[number];

/** A change of a subscription or an invoice. The same `key` is published once. */
export interface BillingChangedEvent {
  accountId: string;
  key: string;
  data: {
    subscriptionId?: string;
    invoiceId?: string;
    packageCode?: string;
    amount?: string;
    currency?: string;
    at?: string;
  };
}

/** A decision of administrators about a code. */
export interface ModerationEvent {
  /** Unique for each decision. */
  key: string;
  accountId: string;
  qrCodeId: string;
  title: string;
  category: string;
}

export type ModerationEventName = 'code.taken_down' | 'code.reinstated' | 'code.appeal_rejected';

/** What an owner did with a code. */
export interface QrCodeChangedEvent {
  accountId: string;
  qrCodeId: string;
  version: number;
}

export const QR_CODE_CHANGE_NAMES = [
  'code.created',
  'code.updated',
  'code.paused',
  'code.resumed',
  'code.lost',
  'code.found',
  'code.deleted',
  'code.restored',
  'code.transferred',
] as const satisfies readonly EventName[];

export type QrCodeChangeName = (typeof QR_CODE_CHANGE_NAMES)[number];

export interface QrCodeExpiryEvent {
  /** Unique for each expiry of a code. */
  key: string;
  accountId: string;
  qrCodeId: string;
  title: string;
  expiresAt: Date;
  timeZone: string;
}

export interface DocumentExpiryEvent {
  key: string;
  accountId: string;
  documentId: string;
  title: string;
  expiresOn: Date;
}

export interface AnniversaryEvent {
  /** That of the memory tag, or the personal one of a caretaker. */
  accountId: string;
  memoryTagId: string;
  qrCodeId: string | null;
  name: string;
  date: string;
  year: number;
}

/** Publishers and subscribers write in the same transaction. Payloads never have message content. */
export interface DomainEventPayloads
  extends Record<BillingEventName, BillingChangedEvent>,
    Record<QrCodeChangeName, QrCodeChangedEvent>,
    Record<ModerationEventName, ModerationEvent> {
  'mail.settled': {
    mailIds: readonly string[];
    status: 'WAITING' | 'DELIVERED' | 'NOT_SENT' | 'FAILED';
    reason: string | null;
    /** Whether the mail server was asked; false for mails that are not to be sent or whose worker was lost. */
    isAttempted: boolean;
  };
  /** What a member may no longer do ends with it; `role` is null for whoever is no member any more. */
  /** `isLimited`: the member has only the codes of some folders from now on. */
  'membership.changed': { accountId: string; userId: string; role: AccountRole | null; isLimited?: true };
  /**
   * While its rows still have their old account; what later features have of it goes with it, or is deleted. Both accounts are
   * the same where a claim is undone in the account of the batch: then the history is cut, and the code stays.
   */
  'code.moved': { qrCodeId: string; fromAccountId: string; toAccountId: string; history: 'KEEP' | 'CUT' };
  'login.created': { userId: string };
  'password.changed': { userId: string };
  'second_factor.enabled': { userId: string };
  'second_factor.disabled': { userId: string };
  'role.changed': { userId: string; role: string };
  'code.expiring': QrCodeExpiryEvent;
  'code.expired': QrCodeExpiryEvent;
  'webhook_endpoint.disabled': { accountId: string; webhookEndpointId: string };
  'scan.located': ScanRecordedEvent & { locationId: string };
  'scan.place_changed': { scanId: string };
  'code.pin_rejected': { accountId: string; qrCodeId: string; title: string };
  'document.opened': DocumentAccess;
  'document.passcode_rejected': DocumentAccess;
  /** Must cost the same where no user has this address. */
  'document.granted': { grantId: string; email: string };
  'document.infected': DocumentAccess & { versionId: string };
  'document.expiring': DocumentExpiryEvent;
  'document.expired': DocumentExpiryEvent;
  'message.created': {
    accountId: string;
    qrCodeId: string;
    conversationId: string;
    messageId: string;
    title: string;
  };
  /** `userId`: who is to answer. */
  'conversation.assigned': {
    accountId: string;
    userId: string;
    qrCodeId: string;
    conversationId: string;
    title: string;
  };
  'guest_book.signed': {
    accountId: string;
    entryId: string;
    memoryTagId: string;
    qrCodeId: string;
    remembered: string;
  };
  /** Must cost the same where no user has this address. */
  'caretaker.added': { caretakerId: string; memoryTagId: string; email: string };
  'memory_tag.birth_anniversary': AnniversaryEvent;
  'memory_tag.death_anniversary': AnniversaryEvent;
  'break_glass.opened': { accountId: string; resourceType: 'QRCODE' | 'SCAN'; resourceId: string };
}

/** A name that the catalogue of events does not have cannot be published. */
export type DomainEventName = Extract<keyof DomainEventPayloads, EventName>;
