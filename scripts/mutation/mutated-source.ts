import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'oxc-transform';
import { getTranspiledPath, TRANSPILE_OPTIONS } from '../testing/transpile.ts';

export interface MutatedSource {
  /** Makes processes load the replaced source. */
  environment: Record<string, string>;
  remove(): void;
}

/**
 * Transpile the mutated source into a temporary folder. Processes load it in place of the original by a module hook,
 * so that an interrupted run leaves nothing behind that another run could take for the original.
 */
export function createMutatedSource(file: string, text: string): MutatedSource {
  const { code, errors } = transformSync(file, text, TRANSPILE_OPTIONS);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  const folder = mkdtempSync(join(tmpdir(), 'qr-mutation-'));
  const mutated = join(folder, 'mutated.js');
  writeFileSync(mutated, code);
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(hooks, createHooks(pathToFileURL(resolve(getTranspiledPath(file))).href, mutated));
  const register = join(folder, 'register.mjs');
  writeFileSync(
    register,
    `import { register } from 'node:module';\nregister(${JSON.stringify(pathToFileURL(hooks).href)});\n`,
  );
  return {
    environment: { NODE_OPTIONS: `--import=${pathToFileURL(register).href}` },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function createHooks(original: string, mutated: string): string {
  return `import { readFile } from 'node:fs/promises';
export async function load(url, context, nextLoad) {
  if (url !== ${JSON.stringify(original)}) return nextLoad(url, context);
  return { format: 'module', shortCircuit: true, source: await readFile(${JSON.stringify(mutated)}, 'utf8') };
}
`;
}
