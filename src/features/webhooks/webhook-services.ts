import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { MailOutbox } from '../mail/index.ts';
import type { WebhookDispatcher } from './webhook-dispatcher.ts';

export interface WebhookServices {
  database: Database;
  fieldCipher: FieldCipher;
  mailOutbox: MailOutbox;
  createIdempotently: IdempotentHandler;
  dispatcher: Pick<WebhookDispatcher, 'wake'>;
  /** Outside production. */
  allowsLoopback: boolean;
}
