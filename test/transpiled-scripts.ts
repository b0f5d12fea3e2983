import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getTranspiledPath } from '../scripts/testing/transpile.ts';

/** Get the Node arguments to run a source of src, or a script beside a test, transpiled. */
export function getNodeArguments(file: string): string[] {
  return [extname(file) === '.ts' ? getTranspiledPath(file) : file];
}

/** Get the path of a script beside a test file (its `import.meta.url`), by name without extension. */
export function getSiblingScriptPath(testFile: string, name: string): string {
  const file = fileURLToPath(testFile);
  return join(dirname(file), `${name}${extname(file)}`);
}
