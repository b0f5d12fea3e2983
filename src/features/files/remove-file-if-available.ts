import type { FileStore } from '../../providers/files/files.port.ts';
import { ServiceError } from '../../shared/errors.ts';

/**
 * Removes a file that no row names any more; nothing happens when it is gone already. Where the store is away the file
 * stays, and the comparison of files and rows finds it: what it was removed for is done, and is not told to have failed.
 */
export async function removeFileIfAvailable(files: FileStore, name: string): Promise<void> {
  try {
    await files.remove(name);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'PROVIDER_UNAVAILABLE')) throw error;
  }
}
