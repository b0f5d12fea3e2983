import type { Database, Tx } from '../../platform/database.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';

/** What an owner is told of a message: no word of it. */
export interface MessageNews {
  ownerId: string;
  qrCodeId: string;
  conversationId: string;
  messageId: string;
  title: string;
}

/** What a finder is told of an answer: no word of it. */
export interface AnswerNews {
  qrCodeId: string;
  conversationId: string;
  email: string;
  /** BCP 47. */
  language: string;
}

/** What conversations work with; put together in services.ts. */
export interface ConversationServices {
  database: Database;
  vault: Vault;
  createOnce: CreateOnce;
  /** Tells an owner, in the transaction that stores the message. */
  notifyMessage(tx: Tx, news: MessageNews): Promise<void>;
  /** Tells a finder, in the transaction that stores the answer. */
  mailAnswer(tx: Tx, news: AnswerNews): Promise<void>;
  /** The base of every address that leaves the service. */
  publicBaseUrl: string;
}
