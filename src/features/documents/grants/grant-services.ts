import type { Database, Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentHandler } from '../../../platform/idempotency.ts';
import type { EncryptedFileStore } from '../../files/index.ts';
import type { DocumentAccessNotification } from '../shares/share-services.ts';

/** That somebody was given a document: for whoever has this address, where anybody does. */
export interface DocumentGrantNotification {
  grantId: string;
  email: string;
}

/** What giving documents to people by name works with; put together in services.ts. */
export interface DocumentGrantServices {
  database: Database;
  fieldCipher: FieldCipher;
  files: EncryptedFileStore;
  createIdempotently: IdempotentHandler;
  /** Tells whoever has an address, at the same cost where nobody has it. */
  notifyDocumentGranted(tx: Tx, notification: DocumentGrantNotification): Promise<void>;
  /** Tells an owner that somebody opened a document. */
  notifyDocumentOpened(tx: Tx, notification: DocumentAccessNotification): Promise<void>;
}
