import type { Database } from '../../../platform/database.ts';
import type { DomainEventBus } from '../../../platform/events.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { EncryptedFileStore } from '../../files/index.ts';

export interface DocumentGrantServices {
  database: Database;
  fieldCipher: FieldCipher;
  files: EncryptedFileStore;
  createIdempotently: IdempotentHandler;
  events: DomainEventBus;
}
