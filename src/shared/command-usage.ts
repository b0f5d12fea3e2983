import { EXIT_CODES } from './process-exit-codes.ts';

/** Of `npm start` and `npm run worker`. */
export const CHECK_CONFIG_OPTION = '--check-config';

/**
 * Get the arguments of a command, by default none. Exits with 0 after `--help`, with 64 for invalid ones. A command
 * imports the application after this call, because that takes a second or more.
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
  const words = process.argv.slice(2).join(' ');
  console.error(reason ?? (words ? `Invalid arguments: ${words}` : 'Arguments are missing.'));
  console.error(usage);
  process.exit(EXIT_CODES.USAGE);
}

function isHelpRequested(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
