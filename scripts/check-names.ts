// Fail on a name with a word that the glossary replaces: `tsx scripts/check-names.ts`. `npm run check` runs it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import ts from 'typescript';
import { ALLOWED_NAMES, BANNED_WORDS } from './names/banned-words.ts';

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'packages'];

export interface BannedName {
  file: string;
  line: number;
  name: string;
  word: string;
  use: string;
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  const violations = listFiles().flatMap((file) => checkFile(file, readFileSync(file, 'utf8')));
  if (process.argv.includes('--count')) printCounts(violations);
  else for (const one of violations) console.error(formatBannedName(one));
  console.log(
    `names: ${violations.length === 0 ? 'in order' : `${violations.length} to rename (docs/glossary.md)`}`,
  );
  process.exitCode = violations.length > 0 ? 1 : 0;
}

export function checkFile(file: string, text: string): BannedName[] {
  const names: BannedName[] = [];
  const check = (name: string, line: number) => {
    const match = findBannedWord(name, file);
    if (match) names.push({ file, line, name, ...match });
  };
  check(basename(file).replace(/\..*$/, ''), 1);
  for (const { name, line } of readDeclaredNames(file, text)) check(name, line);
  return names;
}

export function findBannedWord(name: string, file: string): { word: string; use: string } | undefined {
  const words = splitWords(name).join(' ');
  if (ALLOWED_NAMES.some((allowed) => allowed.words.test(words))) return undefined;
  for (const { words: pattern, use, allowedIn } of BANNED_WORDS) {
    if (allowedIn?.test(file) || allowedIn?.test(words)) continue;
    const word = pattern.exec(words)?.[0];
    if (word !== undefined) return { word, use };
  }
  return undefined;
}

/** Split a name at capitals, underscores, hyphens and digits: `MAX_rowsOfOTP` is max, rows, of, otp. */
export function splitWords(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

export function formatBannedName({ file, line, name, word, use }: BannedName): string {
  return `${file}:${line} ${name}: instead of "${word}" use ${use}`;
}

function readDeclaredNames(file: string, text: string): { name: string; line: number }[] {
  const source = ts.createSourceFile(file, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const names: { name: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    if (name !== undefined && ts.isIdentifier(name) && isDeclaration(node)) {
      const { line } = source.getLineAndCharacterOfPosition(name.end);
      names.push({ name: name.text, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function isDeclaration(node: ts.Node): boolean {
  return (
    !ts.isPropertyAccessExpression(node) &&
    !ts.isShorthandPropertyAssignment(node) &&
    !ts.isImportSpecifier(node) &&
    !ts.isExportSpecifier(node)
  );
}

function listFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...FOLDERS], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('/generated/') && existsSync(file));
}

function printCounts(violations: readonly BannedName[]): void {
  const counts = new Map<string, number>();
  for (const { word } of violations) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${count} ${word}`);
}
