import type { Database } from '../../../platform/database.ts';
import type { EventBus } from '../../../platform/events.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { PasswordHasher } from '../../../platform/password-hasher.ts';
import type { Limiter } from '../../../shared/limiter.ts';
import type { EncryptedFileStore } from '../../files/index.ts';

/** What shares of documents work with; put together in services.ts. */
export interface DocumentShareServices {
  database: Database;
  fieldCipher: FieldCipher;
  files: EncryptedFileStore;
  createIdempotently: IdempotentHandler;
  /** Hashes and compares passcodes as it does PINs. */
  pins: PasswordHasher;
  /** Runs what needs a transaction of its own, a few at a time. */
  scanLimiter: Limiter;
  /** The base of every address that leaves the service. */
  publicBaseUrl: string;
  /** Whether the rules of enterprise mode hold for everybody. */
  isEnterpriseEnforced: boolean;
  events: EventBus;
}
