import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../platform/idempotency.ts';
import type { MalwareScanner } from '../../providers/malware/malware.port.ts';
import type { PlanService } from '../billing/index.ts';
import type { EncryptedFileStore } from '../files/index.ts';

export interface MalwareCheckServices {
  scanner: MalwareScanner;
  /** `hold` stores uploads until they are checked. */
  whenUnavailable: 'refuse' | 'hold';
}

export interface DocumentServices
  extends Pick<
    PlanService,
    'getPlan' | 'reserveQuota' | 'checkQuota' | 'isReadOnly' | 'rejectReadOnlyChange'
  > {
  database: Database;
  fieldCipher: FieldCipher;
  files: EncryptedFileStore;
  createIdempotently: IdempotentHandler;
  malwareCheck: MalwareCheckServices | null;
  config: { maxDocumentBytes: number };
}
