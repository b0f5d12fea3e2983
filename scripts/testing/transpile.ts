import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type TransformOptions, transformSync } from 'oxc-transform';

/** Folder of transpiled sources: Node loads plain JavaScript twice as fast as TypeScript through a loader. */
const TRANSPILED_FOLDER = 'dist-tests';

export const TRANSPILE_OPTIONS: TransformOptions = {
  sourcemap: true,
  target: 'es2023',
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
};

const SOURCE_FOLDERS = ['src', 'test', 'bench', 'scripts', 'packages'];

/** Files that sources read by relative paths. */
const LINKED_RESOURCES = ['package.json', 'prisma', 'locales'];

const MANIFEST_PATH = join(TRANSPILED_FOLDER, 'manifest.json');

const { version: TRANSPILER_VERSION } = createRequire(import.meta.url)('oxc-transform/package.json') as {
  version: string;
};

interface TranspileManifest {
  transpiler: string;
  sources: Record<string, string>;
}

/**
 * Transpile every source that changed since the last call, and remove the output of deleted sources. Types are not
 * checked; `npm run types` does that.
 * @returns the changed files
 * @throws Error with file and position of a syntax error
 */
export function transpileChangedSources(): string[] {
  const previous = readManifest();
  const sources: Record<string, string> = {};
  const changed: string[] = [];
  for (const source of SOURCE_FOLDERS.flatMap(listSources)) {
    const { size, mtimeMs } = statSync(source);
    const state = `${size} ${mtimeMs}`;
    if (previous[source] !== state) {
      transpileFile(source);
      changed.push(source);
    }
    sources[source] = state;
  }
  for (const source of Object.keys(previous).filter((known) => !(known in sources))) {
    rmSync(getTranspiledPath(source), { force: true });
    changed.push(source);
  }
  linkResources();
  if (changed.length > 0)
    writeFileSync(MANIFEST_PATH, JSON.stringify({ transpiler: TRANSPILER_VERSION, sources }));
  return changed;
}

export function getTranspiledPath(source: string): string {
  return join(TRANSPILED_FOLDER, source.replace(/\.ts$/, '.js'));
}

function transpileFile(source: string): void {
  const text = readFileSync(source, 'utf8');
  const output = getTranspiledPath(source);
  mkdirSync(dirname(output), { recursive: true });
  if (!source.endsWith('.ts')) {
    writeFileSync(output, text);
    return;
  }
  const { code, map, errors } = transformSync(source, text, TRANSPILE_OPTIONS);
  const [error] = errors;
  if (error) throw new Error(`${source}: ${error.message}\n${error.codeframe ?? ''}`);
  const sourceMap = { ...map, sources: [relative(dirname(resolve(output)), resolve(source))] };
  const encoded = Buffer.from(JSON.stringify(sourceMap)).toString('base64');
  writeFileSync(output, `${code}//# sourceMappingURL=data:application/json;base64,${encoded}\n`);
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.ts$|\.mjs$/.test(name) && !/(?:^|\/)(?:dist|node_modules)\//.test(name))
    .map((name) => join(folder, name));
}

function readManifest(): TranspileManifest['sources'] {
  try {
    const { transpiler, sources } = JSON.parse(readFileSync(MANIFEST_PATH, 'utf8')) as TranspileManifest;
    if (transpiler === TRANSPILER_VERSION) return sources;
  } catch {
    // First run, or an interrupted one: transpile everything.
  }
  rmSync(TRANSPILED_FOLDER, { recursive: true, force: true });
  return {};
}

function linkResources(): void {
  for (const name of LINKED_RESOURCES) {
    try {
      symlinkSync(join('..', name), join(TRANSPILED_FOLDER, name));
    } catch (error) {
      if (Reflect.get(error as Error, 'code') !== 'EEXIST') throw error;
    }
  }
}
