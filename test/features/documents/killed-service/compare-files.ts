import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { getEncryptedFileSize } from '../../../../src/shared/crypto/chunked-cipher.ts';
import { runQuery } from '../../../scratch-folder.ts';

const PARTIAL_FILE_PATTERN = /^\.(.+)\.[^.]+\.part$/;

/** Compare private files with their rows while nothing is uploaded; returns a line for each difference. */
export async function compareFiles(ownerUrl: string, dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'files');
  const differences: string[] = [];
  const sizes = new Map<string, number>();
  for (const entry of await readdir(folder, { recursive: true })) {
    const stats = await stat(join(folder, entry));
    if (stats.isFile()) sizes.set(basename(entry), stats.size);
  }
  const rows = (await runQuery(
    ownerUrl,
    `SELECT name, state, size,
       EXISTS (SELECT FROM document_versions WHERE file_id = stored_files.id)
       OR EXISTS (SELECT FROM pictures WHERE file_id = stored_files.id)
       OR EXISTS (SELECT FROM picture_renditions WHERE file_id = stored_files.id) AS "isReferenced"
     FROM stored_files`,
  )) as { name: string; state: string; size: string | null; isReferenced: boolean }[];
  const known = new Map(rows.map((row) => [row.name, row]));
  for (const { name, state, size, isReferenced } of rows) {
    if (isReferenced !== (state === 'STORED'))
      differences.push(`the row of ${name} is ${state}, named: ${isReferenced}`);
    if (state !== 'STORED') continue;
    const actualSize = sizes.get(name);
    if (actualSize !== getEncryptedFileSize(Number(size)))
      differences.push(`the file ${name} has ${actualSize} bytes of ${size}`);
  }
  // A file that was being written at a kill must have a row that clean-up finds.
  for (const name of sizes.keys())
    if (!known.has(name.replace(PARTIAL_FILE_PATTERN, '$1')))
      differences.push(`no row knows the file ${name}`);
  return differences;
}
