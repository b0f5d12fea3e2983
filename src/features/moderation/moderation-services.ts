import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { MailOutbox } from '../mail/index.ts';

export interface ModerationServices {
  database: Database;
  fieldCipher: FieldCipher;
  createIdempotently: IdempotentHandler;
  events: DomainEventBus;
  mailOutbox: MailOutbox;
  /** Null where another application has the pages. */
  ownerPagesUrl: string | null;
}
