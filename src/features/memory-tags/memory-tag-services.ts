import type { Database, Db, Tx } from '../../platform/database.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { EncryptedFileStore } from '../files/index.ts';
import type { MemoryTagRow } from './memory-tag.repository.ts';

export interface MemoryTagServices {
  database: Database;
  createIdempotently: IdempotentHandler;
  /** Reserve quota in the transaction that adds a memory tag. */
  reserveQuota(tx: Tx, limit: 'memoryTags', accountId: string): Promise<void>;
  isReadOnly(db: Db, limit: 'memoryTags', row: MemoryTagRow): Promise<boolean>;
  /** @throws PLAN_LIMIT_REACHED */
  rejectReadOnlyChange(db: Db, limit: 'memoryTags', accountId: string): Promise<never>;
  files: Pick<EncryptedFileStore, 'remove'>;
}
