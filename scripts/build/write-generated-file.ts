import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Write a file if its text changed; returns whether it did. An unchanged file keeps its time. */
export async function writeGeneratedFile(file: string, text: string): Promise<boolean> {
  const previous = await readFile(file, 'utf8').catch(() => null);
  if (previous === text) return false;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return true;
}
