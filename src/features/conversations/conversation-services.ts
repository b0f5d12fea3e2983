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

export interface ConversationServices {
  database: Database;
  fieldCipher: FieldCipher;
  createIdempotently: IdempotentHandler;
  events: DomainEventBus;
  /** Enqueue the mail in the transaction that stores the reply. */
  mailReply(tx: Tx, notification: ReplyNotification): Promise<void>;
  publicBaseUrl: string;
}
