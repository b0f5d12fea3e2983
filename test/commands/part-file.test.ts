import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { InvalidBackupError } from '../../src/commands/backup/manifest.ts';
import { readPart, verifyPart, writePart } from '../../src/commands/backup/part-file.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const { signal } = new AbortController();

async function readAll(folder: string, part: { bytes: number; sha256: string }): Promise<string> {
  let text = '';
  for await (const chunk of readPart(folder, 'rows.gz', part)) text += chunk;
  return text;
}

t.test('a part that is changed after it was verified is refused at its end', async (t) => {
  const folder = await createScratchFolder(t);
  const { part } = await writePart(folder, 'rows.gz', async (output) => output.write('ada\tUSER\n'));
  await verifyPart(folder, 'rows.gz', part, signal);
  t.equal(await readAll(folder, part), 'ada\tUSER\n');
  await writeFile(join(folder, 'rows.gz'), gzipSync('ada\tADMIN\n'));
  await t.rejects(readAll(folder, part), InvalidBackupError);
});

t.test('a pipe in place of a part is refused, not waited for', async (t) => {
  const folder = await createScratchFolder(t);
  execFileSync('mkfifo', [join(folder, 'rows.gz')]);
  const part = { bytes: 1, sha256: 'a'.repeat(64) };
  await t.rejects(verifyPart(folder, 'rows.gz', part, signal), InvalidBackupError);
});
