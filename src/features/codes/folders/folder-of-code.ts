import type { Db } from '../../../platform/database.ts';
import { createValidationError } from '../../../shared/errors.ts';
import { findFolder } from './folder.repository.ts';

/** The folder of a code as it is stored. */
export interface StoredFolderOfCode {
  folderId: string | null;
  folder: { deletedAt: Date | null } | null;
}

/** Get the id of the folder that a code is in; null in a deleted one. */
export function getFolderId({ folderId, folder }: StoredFolderOfCode): string | null {
  return folder?.deletedAt === null ? folderId : null;
}

/** @throws VALIDATION_FAILED for a folder that the account does not have */
export async function assertFolderExists(
  db: Db,
  accountId: string,
  folderId: string | null | undefined,
): Promise<void> {
  if (!folderId || (await findFolder(db, { accountId, id: folderId }))) return;
  throw createValidationError({
    field: 'folderId',
    code: 'UNKNOWN',
    message: 'Must be a folder of this account.',
  });
}
