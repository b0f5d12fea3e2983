import type { Database, Tx } from '../../platform/database.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { DocumentNews } from '../document-shares/share-services.ts';
import type { FileKeeper } from '../files/file-keeper.ts';

/** That somebody was given a document: for whoever has this address, where anybody does. */
export interface GrantNews {
  grantId: string;
  email: string;
}

/** What giving documents to people by name works with; put together in services.ts. */
export interface GrantServices {
  database: Database;
  vault: Vault;
  files: FileKeeper;
  createOnce: CreateOnce;
  /** Tells whoever has an address, at the same cost where nobody has it. */
  notifyDocumentGiven(tx: Tx, news: GrantNews): Promise<void>;
  /** Tells an owner that somebody opened a document. */
  notifyDocumentOpened(tx: Tx, news: DocumentNews): Promise<void>;
}
