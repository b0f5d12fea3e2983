import { readCommandArguments } from '../shared/command-usage.ts';

/**
 * Run the subcommand that the first argument names, with the arguments after it. It reads them itself.
 * @param subcommands imports the file of each
 */
export async function runSubcommand(
  usage: string,
  subcommands: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const [, , name = ''] = process.argv;
  const run = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!run) readCommandArguments(usage, () => false);
  process.argv.splice(2, 1);
  await run?.();
}
