import type { FileStore } from '../../providers/files/files.port.ts';
import { ServiceError } from '../../shared/errors.ts';

/**
 * Remove an unreferenced file; an absent one is ignored. When the store is unavailable the file is left for
 * the daily repair, and the caller succeeds.
 */
export async function removeFileIfStoreAvailable(files: FileStore, name: string): Promise<void> {
  try {
    await files.remove(name);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'PROVIDER_UNAVAILABLE')) throw error;
  }
}
