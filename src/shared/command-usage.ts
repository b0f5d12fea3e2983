import { EXIT_CODES } from './process-exit-codes.ts';

/**
 * Get the arguments of a command. `--help` or `-h` prints the usage and exits with 0; arguments that
 * `isRight` rejects exit with 64. Without `isRight` none are accepted.
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

export function exitWithUsage(usage: string, reason?: string): never {
  if (reason) console.error(reason);
  console.error(usage);
  process.exit(EXIT_CODES.USAGE);
}

export function isHelpRequested(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
