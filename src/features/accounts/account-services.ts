import type { Database, Db, Tx } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/hash-queue.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { PostOffice } from '../mails/post-office.ts';
import type { Plan } from '../subscriptions/plan-of-user.repository.ts';

/** What the accounts' routes work with; put together in app.ts. */
export interface AccountServices {
  database: Database;
  vault: Vault;
  passwords: PasswordHasher;
  postOffice: PostOffice;
  createOnce: CreateOnce;
  publicBaseUrl: string;
  /** Where links in mails lead. */
  frontendUrl: string;
  /** RATE_LIMIT_SCALE: multiplies limits keyed by an address of the network alone. */
  rateLimitScale: number;
  /** ENTERPRISE_MODE: its rules hold for everybody, whatever their account says. */
  enterpriseForAll: boolean;
  publicFiles: FileStore;
  /** Tells a person about a new log-in, in its transaction. */
  notifyLogin(tx: Tx, userId: string): Promise<void>;
  /** Tells a person that their password is another, in its transaction. */
  notifyPassword(tx: Tx, userId: string): Promise<void>;
  planOf(db: Db, userId: string, language: string): Promise<Plan>;
}
