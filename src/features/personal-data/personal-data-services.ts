import type { Database, Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { PaymentProvider } from '../../providers/payments/payments.port.ts';
import type { UserPlan } from '../billing/index.ts';
import type { EncryptedFileStore } from '../files/index.ts';
import type { MailOutbox } from '../mail/index.ts';

export interface PersonalDataServices {
  database: Database;
  fieldCipher: FieldCipher;
  passwords: PasswordHasher;
  jobs: JobScheduler;
  mailOutbox: MailOutbox;
  createIdempotently: IdempotentHandler;
  /** Null if no payment provider is configured. */
  payments: PaymentProvider | null;
  publicBaseUrl: string;
  /** Where mails lead to; null where there are no pages for owners. */
  ownerPagesUrl: string | null;
  log: { error(details: object, message: string): void };
  publicFiles: FileStore;
  files: EncryptedFileStore;
  /** Stores the content of `files`. */
  privateFiles: FileStore;
  getPlan(db: Db, userId: string, language: string): Promise<UserPlan>;
  /** Check whether a user must encrypt exports to their own key. */
  mustEncryptExport(db: Db, userId: string): Promise<boolean>;
}
