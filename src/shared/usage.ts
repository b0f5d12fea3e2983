import { EXIT } from './exit.ts';

/**
 * The words behind a command. Where `--help` or `-h` is among them, prints the usage and ends the process with 0; where
 * `isRight` says no, prints it to stderr and ends with 64. Without `isRight` no words are right.
 */
export function readWords(
  usage: string,
  isRight: (words: readonly string[]) => boolean = (words) => words.length === 0,
  words: readonly string[] = process.argv.slice(2),
): string[] {
  if (asksForHelp(words)) {
    console.log(usage);
    process.exit(0);
  }
  if (!isRight(words)) endAsWrong(usage);
  return [...words];
}

/** Says how a command is used, and why what was typed is wrong where that is known; ends the process with 64. */
export function endAsWrong(usage: string, why?: string): never {
  if (why) console.error(why);
  console.error(usage);
  process.exit(EXIT.USAGE);
}

/** Whether somebody asks how a command is used. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}
