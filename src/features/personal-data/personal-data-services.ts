import type { Database, Db } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/hash-queue.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { Vault } from '../../platform/vault.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { PaymentProvider } from '../../providers/payments/payments.port.ts';
import type { FileKeeper } from '../files/file-keeper.ts';
import type { PostOffice } from '../mails/post-office.ts';
import type { Plan } from '../subscriptions/plan-of-user.repository.ts';

/** What export and erasure work with; put together in services.ts. */
export interface PersonalDataServices {
  database: Database;
  vault: Vault;
  passwords: PasswordHasher;
  jobs: Jobs;
  postOffice: PostOffice;
  createOnce: CreateOnce;
  /** Who knows people that pay; null where nothing is sold. */
  payments: PaymentProvider | null;
  publicBaseUrl: string;
  log: { error(details: object, message: string): void };
  /** Folder of finished archives. */
  exportsDir: string;
  publicFiles: FileStore;
  files: FileKeeper;
  /** Where private files are. */
  privateFiles: FileStore;
  planOf(db: Db, userId: string, language: string): Promise<Plan>;
  /** Whether a person's archives must be encrypted to a key of their own. */
  mustEncryptExport(db: Db, userId: string): Promise<boolean>;
}
