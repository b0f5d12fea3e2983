import { readFileSync } from 'node:fs';
import { exitWithUsage, readCommandArguments } from '../src/shared/command-usage.ts';

/**
 * The words behind a measurement, whose usage is the comment at the head of its file (`import.meta.url`): with `--help`
 * it is printed and the process ends with 0, with wrong words it ends with 64, before anything is begun.
 */
export function readArguments(file: string, isRight?: (words: readonly string[]) => boolean): string[] {
  return readCommandArguments(readUsage(file), isRight);
}

/** Whole numbers behind a measurement, at most so many; where one is missing it is its default. */
export function readNumberArguments(file: string, ...defaults: number[]): number[] {
  const words = readArguments(file, (given) => given.length <= defaults.length && given.every(isWholeNumber));
  return defaults.map((usual, index) => Number(words[index] ?? usual));
}

/** Ends the process with 64 after the usage of a file. */
export function exitWithBenchUsage(file: string): never {
  return exitWithUsage(readUsage(file));
}

/** Whether a word is a whole number. */
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
