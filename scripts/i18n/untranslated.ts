import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CATALOGUES_FOLDER, readCatalogue, SOURCE_TAG } from './catalogue-files.ts';

/** Lines of a language and a key, such as `de fields.microchip`. It is no catalogue, so no user sees it. */
export const UNTRANSLATED_FILE = join(CATALOGUES_FOLDER, 'untranslated.txt');

/** Add lines for a key whose text is English in each language. */
export async function markUntranslated(tags: readonly string[], key: string): Promise<void> {
  await writeMarks([...(await readMarks()), ...tags.map((tag) => `${tag} ${key}`)]);
}

/** List the marked messages whose text is still that of English. */
export async function listUntranslated(): Promise<string[]> {
  const english = await readCatalogue(SOURCE_TAG);
  const untranslated: string[] = [];
  for (const mark of await readMarks()) {
    const [tag = '', key = ''] = mark.split(' ');
    const text = (await readCatalogue(tag)).get(key);
    if (text !== undefined && text === english.get(key)) untranslated.push(mark);
  }
  return untranslated;
}

/** Remove the marks of messages that are translated now; the file goes with the last one. */
export async function removeTranslatedMarks(): Promise<void> {
  await writeMarks(await listUntranslated());
}

async function readMarks(): Promise<string[]> {
  const text = await readFile(UNTRANSLATED_FILE, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean);
}

async function writeMarks(marks: readonly string[]): Promise<void> {
  if (marks.length === 0) await rm(UNTRANSLATED_FILE, { force: true });
  else await writeFile(UNTRANSLATED_FILE, `${[...new Set(marks)].sort().join('\n')}\n`);
}
