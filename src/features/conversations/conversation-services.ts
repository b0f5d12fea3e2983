import type { Database, Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';

export interface ReplyNotification {
  qrCodeId: string;
  conversationId: string;
  email: string;
  /** BCP 47. */
  language: string;
}

export interface AddressConfirmation extends ReplyNotification {
  /** False when the client has caused too many of these mails. */
  isAllowed: boolean;
}

export interface ConversationServices {
  database: Database;
  fieldCipher: FieldCipher;
  createIdempotently: IdempotentHandler;
  events: DomainEventBus;
  /** Enqueue the mail in the transaction that stores the reply. */
  mailReply(tx: Tx, notification: ReplyNotification): Promise<void>;
  /** Enqueue the mail that asks a finder to confirm their address, in the transaction that stores it. */
  mailAddressConfirmation(tx: Tx, confirmation: AddressConfirmation): Promise<void>;
  publicBaseUrl: string;
}
