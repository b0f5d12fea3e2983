import type { Db } from '../../../platform/database.ts';
import { querySql } from '../../../platform/sql.ts';

export interface FileReferenceRow {
  id: string;
  file: string;
}

/** Find which of these public files a row or a pending erasure references. */
export async function findReferencedPublicFiles(db: Db, files: readonly string[]): Promise<Set<string>> {
  const names = files.map((file) => file.slice(file.indexOf('/') + 1));
  const rows = await querySql<{ file: string }>(db)`
    SELECT 'qrcodes/' || image_file AS file FROM qr_codes WHERE image_file = ANY(${names}::text[])
    UNION ALL
    SELECT 'profile-pictures/' || profile_picture FROM users WHERE profile_picture = ANY(${names}::text[])
    UNION ALL
    SELECT folder || '/' || name FROM erased_files WHERE name = ANY(${names}::text[])`;
  return new Set(rows.map(({ file }) => file));
}

export async function listProfilePictureReferences(
  db: Db,
  afterId: string,
  take: number,
): Promise<FileReferenceRow[]> {
  return querySql<FileReferenceRow>(db)`
    SELECT id, 'profile-pictures/' || profile_picture AS file FROM users
    WHERE id > ${afterId} AND profile_picture IS NOT NULL ORDER BY id LIMIT ${take}`;
}

export async function findReferencedPrivateFiles(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.storedFile.findMany({
    where: { name: { in: [...names] } },
    select: { name: true },
  });
  const archives = await db.scanArchive.findMany({
    where: { name: { in: [...names] } },
    select: { name: true },
  });
  return new Set([...rows, ...archives].map(({ name }) => name));
}

export async function listStoredFileReferences(
  db: Db,
  afterId: string,
  take: number,
): Promise<FileReferenceRow[]> {
  return querySql<FileReferenceRow>(db)`
    SELECT id, name AS file FROM stored_files
    WHERE id > ${afterId} AND state = 'STORED' ORDER BY id LIMIT ${take}`;
}

export async function listScanArchiveReferences(
  db: Db,
  afterName: string,
  take: number,
): Promise<FileReferenceRow[]> {
  const rows = await db.scanArchive.findMany({
    where: { name: { gt: afterName } },
    select: { name: true },
    orderBy: { name: 'asc' },
    take,
  });
  return rows.map(({ name }) => ({ id: name, file: name }));
}

export async function countFileReferences(db: Db): Promise<number> {
  const counts = await Promise.all([
    db.user.count({ where: { profilePicture: { not: null } } }),
    db.storedFile.count({ where: { state: 'STORED' } }),
    db.scanArchive.count(),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}
