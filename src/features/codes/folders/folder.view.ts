import type { Static } from 'typebox';
import type { FolderRow } from './folder.repository.ts';
import { FOLDER_COLORS, type FolderColor, type FolderSchema } from './folders.schemas.ts';

/** Convert a folder to what its owner gets. */
export function toFolderView(row: FolderRow, codeCount: number): Static<typeof FolderSchema> {
  const { id, name, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    color: parseFolderColor(row.color),
    codeCount,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** GRAY for a color that this version does not know. */
export function parseFolderColor(color: string | undefined): FolderColor {
  return FOLDER_COLORS.find((name) => name === color) ?? 'GRAY';
}
