import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { getEncryptedSize } from '../../src/shared/crypto/chunked-cipher.ts';

/** What a file is called until it is whole. */
const PARTIAL_FILE_PATTERN = /^\.(.+)\.[^.]+\.part$/;

/**
 * Private files against their rows, on a service that does not run: a line for each stored row whose file is not there or
 * has another size, for each file that no row knows, and for each row that names no document and no picture.
 */
export async function compareFiles(client: Pick<pg.Client, 'query'>, dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'files');
  const wrong: string[] = [];
  const sizes = new Map<string, number>();
  for (const entry of await readdir(folder, { recursive: true })) {
    const stats = await stat(join(folder, entry));
    if (stats.isFile()) sizes.set(basename(entry), stats.size);
  }
  const { rows } = await client.query<{ name: string; state: string; size: string | null; named: boolean }>(
    `SELECT name, state, size,
       EXISTS (SELECT FROM document_versions WHERE file_id = stored_files.id)
       OR EXISTS (SELECT FROM memory_tag_pictures WHERE file_id = stored_files.id)
       OR EXISTS (SELECT FROM picture_renditions WHERE file_id = stored_files.id) AS named
     FROM stored_files`,
  );
  const known = new Map(rows.map((row) => [row.name, row]));
  for (const { name, state, size, named } of rows) {
    if (named !== (state === 'STORED')) wrong.push(`the row of ${name} is ${state}, named: ${named}`);
    if (state !== 'STORED') continue;
    const found = sizes.get(name);
    if (found !== getEncryptedSize(Number(size)))
      wrong.push(`the file ${name} has ${found} bytes of ${size}`);
  }
  // What was being written at a kill has a row that clean-up finds.
  for (const name of sizes.keys())
    if (!known.has(name.replace(PARTIAL_FILE_PATTERN, '$1'))) wrong.push(`no row knows the file ${name}`);
  return wrong;
}
