import { readFileSync } from 'node:fs';
import { exitWithUsage, readCommandArguments } from '../../src/shared/command-usage.ts';

/**
 * Parse arguments; null or an error of `parse` means wrong ones, which exit with 64. The usage is the comment at the top of
 * `file` (`import.meta.url`).
 */
export function readOptions<T>(file: string, parse: (args: string[]) => T | null): T {
  const parseOrNull = (args: readonly string[]) => {
    try {
      return parse([...args]);
    } catch {
      return null;
    }
  };
  const usage = readUsage(file);
  const args = readCommandArguments(usage, (candidate) => parseOrNull(candidate) !== null);
  return parseOrNull(args) ?? exitWithUsage(usage);
}

function readUsage(file: string): string {
  const lines = readFileSync(new URL(file), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join('\n');
}
