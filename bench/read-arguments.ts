import { readFileSync } from 'node:fs';
import { exitWithUsage, readCommandArguments } from '../src/shared/command-usage.ts';

/** Read arguments; the usage is the comment at the top of `file` (`import.meta.url`). Wrong ones exit with 64. */
export function readArguments(file: string, isRight?: (args: readonly string[]) => boolean): string[] {
  return readCommandArguments(readUsage(file), isRight);
}

export function readNumberArguments(file: string, ...defaults: number[]): number[] {
  const args = readArguments(
    file,
    (candidate) => candidate.length <= defaults.length && candidate.every(isWholeNumber),
  );
  return defaults.map((defaultValue, index) => Number(args[index] ?? defaultValue));
}

/** Parse arguments; null or an error of `parse` means wrong ones. */
export function readOptions<T>(file: string, parse: (args: string[]) => T | null): T {
  const parseOrNull = (args: readonly string[]) => {
    try {
      return parse([...args]);
    } catch {
      return null;
    }
  };
  const args = readArguments(file, (candidate) => parseOrNull(candidate) !== null);
  return parseOrNull(args) ?? exitWithUsage(readUsage(file));
}

export function isWholeNumber(word: string): boolean {
  return /^\d{1,9}$/.test(word);
}

function readUsage(file: string): string {
  const lines = readFileSync(new URL(file), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join('\n');
}
