import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { EncryptedFileStore } from '../files/encrypted-file-store.ts';

/** The whole of a private file that is known to be small. Throws NOT_FOUND, DATA_INTEGRITY. */
export async function readPrivate(db: Db, files: EncryptedFileStore, fileId: string): Promise<Buffer> {
  const stream = await files.open(db, fileId);
  if (!stream) throw new ServiceError('NOT_FOUND');
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Bytes that are in memory already, as the keeper takes contents. */
export async function* contentOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
