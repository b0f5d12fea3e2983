import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The words by which Node runs a file: of src as it is compiled for the run, which loads in half the time; any other as it is. */
export function wordsToRun(file: string): string[] {
  const compiled = /^src\/(.*)\.ts$/.exec(file)?.[1];
  if (compiled) return [`dist/${compiled}.js`];
  return extname(file) === '.js' ? [file] : ['--import=tsx', file];
}

/** The script beside a test file (its `import.meta.url`), by its name without an extension: compiled as the test itself is. */
export function scriptBeside(here: string, name: string): string {
  const file = fileURLToPath(here);
  return join(dirname(file), `${name}${extname(file)}`);
}
