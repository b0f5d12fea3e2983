import type { Database, Db } from '../../../platform/database.ts';
import type { EventBus } from '../../../platform/events.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { PasswordHasher } from '../../../platform/password-hasher.ts';
import type { FileStore } from '../../../providers/files/files.port.ts';
import type { UserPlan } from '../../billing/index.ts';
import type { MailOutbox } from '../../mail/index.ts';

/** What the accounts' routes work with; put together in app.ts. */
export interface AccountServices {
  database: Database;
  fieldCipher: FieldCipher;
  passwords: PasswordHasher;
  mailOutbox: MailOutbox;
  createIdempotently: IdempotentHandler;
  publicBaseUrl: string;
  /** Where links in mails lead. */
  frontendUrl: string;
  /** RATE_LIMIT_SCALE: multiplies limits keyed by an address of the network alone. */
  rateLimitScale: number;
  /** ENTERPRISE_MODE: its rules hold for everybody, whatever their account says. */
  enterpriseForAll: boolean;
  publicFiles: FileStore;
  events: EventBus;
  getPlan(db: Db, userId: string, language: string): Promise<UserPlan>;
}
