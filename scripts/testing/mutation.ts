import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'oxc-transform';
import { getTranspiledPath, TRANSPILE_OPTIONS } from './transpile.ts';

interface Guard {
  /** What the guard prevents, in plain words. */
  guard: string;
  /** The source or the migration that has it. */
  file: string;
  /** The test files that must notice its absence, the likeliest first; `file#title` runs one test of a file. */
  tests: readonly string[];
}

/** A guard that is removed by replacing a text. */
export interface SourceMutation extends Guard {
  /** Must occur exactly once in the file. */
  find: string;
  replace: string;
}

/** A guard of the database, which is removed by a statement. */
export interface DatabaseMutation extends Guard {
  sql: string;
}

export type Mutation = SourceMutation | DatabaseMutation;

export interface MutatedSource {
  /** Makes processes load the replaced source. */
  environment: Record<string, string>;
  remove(): void | Promise<void>;
}

export function parseTestName(test: string): { file: string; title: string } {
  const [file = '', title = ''] = test.split('#', 2);
  return { file, title };
}

/** @throws Error when the text does not occur exactly once */
export function applyMutation({ file, find, replace }: SourceMutation, source: string): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`${file}: the text occurs ${count} times instead of once: ${find}`);
  return source.replace(find, () => replace);
}

/**
 * Transpile the mutated source into a temporary folder. Processes load it in place of the original by a module hook,
 * so that an interrupted run leaves nothing behind that another run could take for the original.
 */
export function createMutatedSource(mutation: SourceMutation): MutatedSource {
  const text = applyMutation(mutation, readFileSync(mutation.file, 'utf8'));
  const { code, errors } = transformSync(mutation.file, text, TRANSPILE_OPTIONS);
  const [error] = errors;
  if (error) throw new Error(`${mutation.file}: ${error.message}`);
  const folder = mkdtempSync(join(tmpdir(), 'qr-mutation-'));
  const mutated = join(folder, 'mutated.js');
  writeFileSync(mutated, code);
  const original = pathToFileURL(resolve(getTranspiledPath(mutation.file))).href;
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(hooks, createHooks(original, mutated));
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
