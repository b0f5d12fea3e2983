import type { Db } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { EncryptedFileStore } from '../encrypted-file-store.ts';

/** Read a whole small private file. @throws NOT_FOUND, DATA_INTEGRITY */
export async function readPrivateFile(
  db: Db,
  files: EncryptedFileStore,
  { accountId, fileId }: { accountId: string; fileId: string },
): Promise<Buffer> {
  const stream = await files.open(db, accountId, fileId);
  if (!stream) throw new ServiceError('NOT_FOUND');
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function* toChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
