import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const CATALOGUES_FOLDER = 'locales';
export const SOURCE_TAG = 'en';

/** List the languages, English first. */
export async function listTags(): Promise<string[]> {
  const names = (await readdir(CATALOGUES_FOLDER)).filter((name) => name.endsWith('.json')).sort();
  const tags = names.map((name) => name.slice(0, -'.json'.length));
  return [SOURCE_TAG, ...tags.filter((tag) => tag !== SOURCE_TAG)];
}

export function readCatalogueText(tag: string): Promise<string> {
  return readFile(getPath(tag), 'utf8');
}

export async function readCatalogue(tag: string): Promise<Map<string, string>> {
  const messages: Record<string, string> = JSON.parse(await readCatalogueText(tag));
  return new Map(Object.entries(messages));
}

export async function writeCatalogueText(tag: string, text: string): Promise<void> {
  await writeFile(getPath(tag), text);
}

/**
 * Find the key after which a new one belongs: the last one that shares the most words before its last dot.
 * @returns null for a new area, which goes to the end
 */
export function findPreviousKey(keys: readonly string[], key: string): string | null {
  for (let area = getArea(key); area !== ''; area = getArea(area)) {
    const previous = keys.findLast((one) => one.startsWith(`${area}.`));
    if (previous !== undefined) return previous;
  }
  return null;
}

/** Insert a line into the text of a catalogue. Other lines keep their escapes. */
export function insertMessage(
  text: string,
  previousKey: string | null,
  key: string,
  message: string,
): string {
  const lines = text.split('\n');
  const end = lines.lastIndexOf('}');
  const found = lines.findIndex((line) => line.startsWith(`  ${JSON.stringify(previousKey)}: `));
  const position = found < 0 ? end : found + 1;
  const isLast = position === end;
  if (isLast) lines[end - 1] += ',';
  lines.splice(position, 0, `  ${JSON.stringify(key)}: ${JSON.stringify(message)}${isLast ? '' : ','}`);
  return lines.join('\n');
}

function getPath(tag: string): string {
  return join(CATALOGUES_FOLDER, `${tag}.json`);
}

function getArea(key: string): string {
  return key.slice(0, Math.max(key.lastIndexOf('.'), 0));
}
