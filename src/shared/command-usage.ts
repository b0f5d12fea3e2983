import { EXIT_CODES } from './process-exit-codes.ts';

/**
 * The words behind a command. Where `--help` or `-h` is among them, prints the usage and ends the process with 0; where
 * `isRight` says no, prints it to stderr and ends with 64. Without `isRight` no words are right.
 */
export function readCommandArguments(
  usage: string,
  isValid: (args: readonly string[]) => boolean = (args) => args.length === 0,
  args: readonly string[] = process.argv.slice(2),
): string[] {
  if (isHelpRequested(args)) {
    console.log(usage);
    process.exit(0);
  }
  if (!isValid(args)) exitWithUsage(usage);
  return [...args];
}

/** Says how a command is used, and why what was typed is wrong where that is known; ends the process with 64. */
export function exitWithUsage(usage: string, reason?: string): never {
  if (reason) console.error(reason);
  console.error(usage);
  process.exit(EXIT_CODES.USAGE);
}

/** Whether somebody asks how a command is used. */
export function isHelpRequested(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
