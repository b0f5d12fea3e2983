// Fails on an import that goes against the layers: `tsx scripts/check-imports.ts`. `npm test` runs it first.
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, posix, relative, resolve, sep } from 'node:path';
import { findCycles } from './imports/find-cycles.ts';
import {
  findImportRuleViolation,
  findPackageRuleViolation,
  type ImportTarget,
} from './imports/import-rules.ts';
import { readImports } from './imports/read-imports.ts';

/** One import that is not allowed. */
export interface ImportViolation {
  /** Path of the file from the project's folder. */
  file: string;
  line: number;
  /** What it imports, as written. */
  specifier: string;
  rule: string;
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  const violations = await checkImports('.');
  for (const violation of violations) console.error(formatViolation(violation));
  console.log(`imports: ${violations.length === 0 ? 'in order' : `${violations.length} against the layers`}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

/**
 * Every import below `<root>/src` and `<root>/packages/<name>/src` that breaks a rule of
 * scripts/imports/import-rules.ts, and every cycle. The generated client is not looked into.
 * @throws Error when there is nothing to check
 */
export async function checkImports(root: string): Promise<ImportViolation[]> {
  const declared = await readDeclaredPackages(join(root, 'package.json'));
  const violations = await checkFolder(root, 'src', (file, target) =>
    findImportRuleViolation(file, target, declared),
  );
  for (const name of await readdir(join(root, 'packages')).catch(() => [])) {
    const own = await readDeclaredPackages(join(root, 'packages', name, 'package.json'));
    const folder = `packages/${name}/src`;
    violations.push(
      ...(await checkFolder(root, folder, (_file, target) => findPackageRuleViolation(target, own))),
    );
  }
  return violations;
}

async function checkFolder(
  root: string,
  folder: string,
  ruleFor: (file: string, target: ImportTarget) => string | null,
): Promise<ImportViolation[]> {
  const files = await listSources(join(root, folder));
  if (files.length === 0) throw new Error(`There are no sources in ${join(root, folder)}.`);
  const violations: ImportViolation[] = [];
  const edges = new Map<string, string[]>();
  const lines = new Map<string, number>();

  for (const file of files) {
    const next: string[] = [];
    edges.set(file, next);
    for (const found of readImports(await readFile(join(root, folder, file), 'utf8'))) {
      const { line, specifier } = found;
      const at = { file: `${folder}/${file}`, line, specifier: specifier ?? '(computed)' };
      if (specifier === null) {
        violations.push({ ...at, rule: 'a name that is computed cannot be checked' });
        continue;
      }
      const target = resolveTarget(file, specifier, found.isEager);
      if (target.kind === 'file') {
        next.push(target.path);
        lines.set(`${file} ${target.path}`, line);
      }
      const rule = ruleFor(file, target);
      if (rule) violations.push({ ...at, rule });
    }
  }
  for (const cycle of findCycles(edges)) {
    const [file = '', specifier = ''] = cycle;
    const line = lines.get(`${file} ${specifier}`) ?? 1;
    violations.push({ file: `${folder}/${file}`, line, specifier, rule: `no cycles: ${cycle.join(' → ')}` });
  }
  return violations;
}

/** One line about a violation: file, line, what it imports and the rule it breaks. */
export function formatViolation({ file, line, specifier, rule }: ImportViolation): string {
  return `${file}:${line} imports ${specifier}: ${rule}`;
}

async function listSources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.[cm]?[tj]sx?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith('generated/'))
    .sort();
}

async function readDeclaredPackages(path: string): Promise<Set<string>> {
  const { dependencies = {} } = JSON.parse(await readFile(path, 'utf8'));
  return new Set(Object.keys(dependencies));
}

function resolveTarget(from: string, specifier: string, isEager: boolean): ImportTarget {
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
