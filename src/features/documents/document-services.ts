import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { MalwareScanner } from '../../providers/malware/malware.port.ts';
import type { PlanService } from '../billing/index.ts';
import type { EncryptedFileStore } from '../files/index.ts';

/** What checks files, and what becomes of uploads while it is away: refused, or held until they were checked. */
export interface MalwareCheckServices {
  scanner: MalwareScanner;
  whenUnavailable: 'refuse' | 'hold';
}

/** What documents work with. */
export interface DocumentServices
  extends Pick<
    PlanService,
    'getPlan' | 'reserveQuota' | 'checkQuota' | 'isReadOnly' | 'rejectReadOnlyChange'
  > {
  database: Database;
  fieldCipher: FieldCipher;
  files: EncryptedFileStore;
  createIdempotently: IdempotentHandler;
  /** Looks for malware in what is uploaded; null where nothing is configured. */
  malwareCheck: MalwareCheckServices | null;
  config: { maxDocumentBytes: number };
}
