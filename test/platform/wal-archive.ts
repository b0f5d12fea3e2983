import { readFile } from 'node:fs/promises';
import { findSection, parseCodeBlocks } from '../docs/markdown.ts';

/** Read the settings of docs/operations/backup.md that archive the WAL, with another folder, as `name=value`. */
export async function readArchiveSettings(folder: string): Promise<string[]> {
  const page = await readFile('docs/operations/backup.md', 'utf8');
  const block = parseCodeBlocks(findSection(page, '## Point in time recovery')).find(({ code }) =>
    code.includes('archive_mode'),
  );
  if (!block) throw new Error('docs/operations/backup.md has no settings of the archive.');
  return block.code
    .trim()
    .split('\n')
    .map((line) => line.replace(/^(\w+) = (?:'(.*)'|(.*))$/, '$1=$2$3').replaceAll('/archive', folder));
}
