import type { Database, Tx } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/hash-queue.ts';
import type { CreateOnce } from '../../platform/idempotency.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Lane } from '../../shared/lane.ts';
import type { FileKeeper } from '../files/file-keeper.ts';

/** What an owner is told of a document that somebody opened, or tried to. */
export interface DocumentNews {
  ownerId: string;
  documentId: string;
  title: string;
}

/** What shares of documents work with; put together in services.ts. */
export interface ShareServices {
  database: Database;
  vault: Vault;
  files: FileKeeper;
  createOnce: CreateOnce;
  /** Hashes and compares passcodes as it does PINs. */
  pins: PasswordHasher;
  /** Runs what needs a transaction of its own, a few at a time. */
  scanQueue: Lane;
  /** The base of every address that leaves the service. */
  publicBaseUrl: string;
  /** Whether the rules of enterprise mode hold for everybody. */
  enterpriseForAll: boolean;
  /** Tells an owner that somebody opened a share. */
  notifyDocumentOpened(tx: Tx, news: DocumentNews): Promise<void>;
  /** Tells an owner that somebody used up the tries for a passcode. */
  notifyPasscodeTries(tx: Tx, news: DocumentNews): Promise<void>;
}
