import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceRemoval } from './remove-guard.ts';

/** By the test file that must notice its absence: what each guard prevents, and how it is removed. */
export type GuardList = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Guard {
  test: string;
  /** What the guard prevents, in plain words. */
  name: string;
  removal: string;
}

export type Removal = SourceRemoval | { trigger: string };

const REMOVAL_PATTERN =
  /^(?:trigger (?<trigger>\w+)|(?<name>\w+) (?:without (?<without>.+)|returns (?<returns>.+)|times 1000))$/;

const DECLARATION_PATTERN = /^(?<exported>export )?(?:async )?(?:function\*?|const|class) (?<name>\w+)/gm;

interface Declaration {
  file: string;
  isExported: boolean;
}

export function listGuards(lists: readonly GuardList[]): Guard[] {
  return lists
    .flatMap((list) => Object.entries(list))
    .flatMap(([test, guards]) => Object.entries(guards).map(([name, removal]) => ({ test, name, removal })));
}

/** @throws Error for a removal of another form */
export function parseRemoval(removal: string): Removal {
  const { trigger, name, without, returns } = REMOVAL_PATTERN.exec(removal)?.groups ?? {};
  if (trigger !== undefined) return { trigger };
  if (name !== undefined) return { name, without, returns };
  throw new Error(`"${removal}" is not "X without Y", "X returns Y", "X times 1000" or "trigger X"`);
}

/**
 * Create a function that finds the source with a declaration at its top level, an exported one first.
 * @throws Error when there is none, or more than one
 */
export function createSourceFinder(folder = 'src'): (name: string) => string {
  const declarations = indexDeclarations(folder);
  return (name) => {
    const all = declarations.get(name) ?? [];
    const exported = all.filter(({ isExported }) => isExported);
    const files = new Set((exported.length > 0 ? exported : all).map(({ file }) => file));
    const [file] = files;
    if (file === undefined || files.size > 1)
      throw new Error(`${name}: declared in ${files.size} sources instead of one ${[...files].join(', ')}`);
    return file;
  };
}

function indexDeclarations(folder: string): Map<string, Declaration[]> {
  const index = new Map<string, Declaration[]>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.startsWith('generated/')) continue;
    const file = join(folder, path);
    for (const { groups } of readFileSync(file, 'utf8').matchAll(DECLARATION_PATTERN)) {
      const { name = '', exported } = groups ?? {};
      index.set(name, [...(index.get(name) ?? []), { file, isExported: exported !== undefined }]);
    }
  }
  return index;
}
