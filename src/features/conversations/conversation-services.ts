import type { Database, Tx } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';

/** What a finder is told of an answer: no word of it. */
export interface ReplyNotification {
  qrCodeId: string;
  conversationId: string;
  email: string;
  /** BCP 47. */
  language: string;
}

/** What conversations work with; put together in services.ts. */
export interface ConversationServices {
  database: Database;
  fieldCipher: FieldCipher;
  createIdempotently: IdempotentHandler;
  events: EventBus;
  /** Tells a finder, in the transaction that stores the answer. */
  mailReply(tx: Tx, notification: ReplyNotification): Promise<void>;
  /** The base of every address that leaves the service. */
  publicBaseUrl: string;
}
