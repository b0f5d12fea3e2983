// Fails on an import that goes against the layers: `tsx scripts/check-imports.ts`. `npm test` runs it first.
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, posix, relative, resolve, sep } from 'node:path';
import { findCycles } from './imports/find-cycles.ts';
import { brokenPackageRule, brokenRule, type Target } from './imports/import-rules.ts';
import { readImports } from './imports/read-imports.ts';

/** One import that is not allowed. */
export interface Violation {
  /** Path of the file from the project's folder. */
  file: string;
  line: number;
  /** What it imports, as written. */
  imports: string;
  rule: string;
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  const violations = await checkImports('.');
  for (const violation of violations) console.error(inWords(violation));
  console.log(`imports: ${violations.length === 0 ? 'in order' : `${violations.length} against the layers`}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

/**
 * Every import below `<root>/src` and `<root>/packages/<name>/src` that breaks a rule of
 * scripts/imports/import-rules.ts, and every cycle. The generated client is not looked into.
 * @throws Error when there is nothing to check
 */
export async function checkImports(root: string): Promise<Violation[]> {
  const declared = await declaredPackages(join(root, 'package.json'));
  const violations = await checkFolder(root, 'src', (file, target) => brokenRule(file, target, declared));
  for (const name of await readdir(join(root, 'packages')).catch(() => [])) {
    const own = await declaredPackages(join(root, 'packages', name, 'package.json'));
    const folder = `packages/${name}/src`;
    violations.push(...(await checkFolder(root, folder, (_file, target) => brokenPackageRule(target, own))));
  }
  return violations;
}

async function checkFolder(
  root: string,
  folder: string,
  ruleFor: (file: string, target: Target) => string | null,
): Promise<Violation[]> {
  const files = await sourcesOf(join(root, folder));
  if (files.length === 0) throw new Error(`There are no sources in ${join(root, folder)}.`);
  const violations: Violation[] = [];
  const edges = new Map<string, string[]>();
  const lines = new Map<string, number>();

  for (const file of files) {
    const next: string[] = [];
    edges.set(file, next);
    for (const found of readImports(await readFile(join(root, folder, file), 'utf8'))) {
      const { line, specifier } = found;
      const at = { file: `${folder}/${file}`, line, imports: specifier ?? '(computed)' };
      if (specifier === null) {
        violations.push({ ...at, rule: 'a name that is computed cannot be checked' });
        continue;
      }
      const target = targetOf(file, specifier, found.isEager);
      if (target.kind === 'file') {
        next.push(target.path);
        lines.set(`${file} ${target.path}`, line);
      }
      const rule = ruleFor(file, target);
      if (rule) violations.push({ ...at, rule });
    }
  }
  for (const cycle of findCycles(edges)) {
    const [file = '', imports = ''] = cycle;
    const line = lines.get(`${file} ${imports}`) ?? 1;
    violations.push({ file: `${folder}/${file}`, line, imports, rule: `no cycles: ${cycle.join(' → ')}` });
  }
  return violations;
}

/** One line about a violation: file, line, what it imports and the rule it breaks. */
export function inWords({ file, line, imports, rule }: Violation): string {
  return `${file}:${line} imports ${imports}: ${rule}`;
}

async function sourcesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.[cm]?[tj]sx?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith('generated/'))
    .sort();
}

async function declaredPackages(path: string): Promise<Set<string>> {
  const { dependencies = {} } = JSON.parse(await readFile(path, 'utf8'));
  return new Set(Object.keys(dependencies));
}

function targetOf(from: string, specifier: string, isEager: boolean): Target {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(from), specifier);
    return path.startsWith('..') ? { kind: 'outside', path } : { kind: 'file', path };
  }
  if (specifier.startsWith('/') || specifier.startsWith('#') || specifier.startsWith('file:')) {
    return { kind: 'outside', path: specifier };
  }
  if (isBuiltin(specifier))
    return { kind: 'package', name: `node:${specifier.replace(/^node:/, '')}`, isEager };
  const [scope = '', name] = specifier.split('/');
  return { kind: 'package', name: scope.startsWith('@') ? `${scope}/${name}` : scope, isEager };
}
