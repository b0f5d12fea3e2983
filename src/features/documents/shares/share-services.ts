import type { Database } from '../../../platform/database.ts';
import type { DomainEventBus } from '../../../platform/events.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { PasswordHasher } from '../../../platform/password-hasher.ts';
import type { ConcurrencyLimiter } from '../../../shared/limiter.ts';
import type { EncryptedFileStore } from '../../files/index.ts';

export interface DocumentShareServices {
  database: Database;
  fieldCipher: FieldCipher;
  files: EncryptedFileStore;
  createIdempotently: IdempotentHandler;
  /** Also hashes passcodes. */
  pins: PasswordHasher;
  scanLimiter: ConcurrencyLimiter;
  publicBaseUrl: string;
  isEnterpriseEnforced: boolean;
  events: DomainEventBus;
}
