import type { Database, Db } from '../../../platform/database.ts';
import type { DomainEventBus } from '../../../platform/events.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { PasswordHasher } from '../../../platform/password-hasher.ts';
import type { FileStore } from '../../../providers/files/files.port.ts';
import type { PlanService, UserPlan } from '../../billing/index.ts';
import type { MailOutbox } from '../../mail/index.ts';

export interface AccountServices {
  database: Database;
  fieldCipher: FieldCipher;
  passwords: PasswordHasher;
  mailOutbox: MailOutbox;
  createIdempotently: IdempotentHandler;
  publicBaseUrl: string;
  frontendUrl: string;
  /** Null where no application is configured. */
  applicationUrl: string | null;
  rateLimitScale: number;
  /** Enterprise mode applies to all accounts (ENTERPRISE_MODE). */
  isEnterpriseEnforced: boolean;
  publicFiles: FileStore;
  events: DomainEventBus;
  getPlan(db: Db, userId: string, language: string): Promise<UserPlan>;
  reserveQuota: PlanService['reserveQuota'];
}
