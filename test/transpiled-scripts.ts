import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getTranspiledPath } from '../scripts/testing/transpile.ts';

/** The arguments with which Node runs a source of src, or a script beside a test, as tests have them: transpiled. */
export function getNodeArguments(file: string): string[] {
  return [extname(file) === '.ts' ? getTranspiledPath(file) : file];
}

/** The script beside a test file (its `import.meta.url`), by its name without an extension: transpiled as the test itself is. */
export function getSiblingScriptPath(here: string, name: string): string {
  const file = fileURLToPath(here);
  return join(dirname(file), `${name}${extname(file)}`);
}
