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

/**
 * Check the folder of a code that is created, or of one that is moved. `limitedTo` has the folders of a limited member.
 * @throws VALIDATION_FAILED for a folder that the account does not have, or the member
 */
export async function assertFolderExists(
  db: Db,
  accountId: string,
  folderId: string | null | undefined,
  limitedTo: readonly string[] | null,
): Promise<void> {
  if (limitedTo && !limitedTo.includes(folderId ?? ''))
    throw createValidationError({
      field: 'folderId',
      code: 'NOT_ALLOWED',
      message: 'Must be a folder that you are limited to.',
    });
  if (!folderId || (await findFolder(db, { accountId, id: folderId }))) return;
  throw createValidationError({
    field: 'folderId',
    code: 'UNKNOWN',
    message: 'Must be a folder of this account.',
  });
}
