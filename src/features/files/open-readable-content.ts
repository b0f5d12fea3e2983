import { Readable } from 'node:stream';
import type { Db } from '../../platform/database.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import type { EncryptedFileStore } from './encrypted-file-store.ts';

/**
 * Open a private file for an archive that must complete: null when absent or its first chunk is invalid, and
 * truncated at a later integrity failure. Both call `onIntegrityFailure`.
 */
export async function openPrivateFileForArchive(
  files: Pick<EncryptedFileStore, 'open'>,
  db: Db,
  { accountId, id }: { accountId: string; id: string },
  onIntegrityFailure: (integrityFailure: IntegrityFailure) => Promise<void>,
): Promise<Readable | null> {
  const report = async (error: unknown): Promise<null> => {
    if (!(error instanceof ServiceError) || !error.integrityFailure) throw error;
    await onIntegrityFailure(error.integrityFailure);
    return null;
  };
  const content = await files.open(db, accountId, id).catch(report);
  if (!content) return null;
  async function* legible(whole: Readable) {
    try {
      yield* whole;
    } catch (error) {
      await report(error);
    }
  }
  const stream = Readable.from(legible(content), { objectMode: false });
  // Also when nobody reads the stream.
  stream.once('close', () => content.destroy());
  return stream;
}
