import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type AccountSize, createLargeAccount, type LargeAccount } from './large-account.ts';
import { runWithApp } from './running-app.ts';
import type { ScratchDatabase } from './scratch-database.ts';

/** Create a large account in a separate process, so that its memory is not measured. The service must be running. */
export async function fillAccount(scratch: ScratchDatabase, size: AccountSize): Promise<LargeAccount> {
  const input = JSON.stringify({ scratch, size });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...['--import=tsx', import.meta.filename, input],
  ]);
  process.stderr.write(stderr);
  return JSON.parse(stdout);
}

const [, scriptPath, input] = process.argv;
if (scriptPath === import.meta.filename && input) {
  const { scratch, size } = JSON.parse(input);
  const account = await runWithApp(scratch, ({ services }) => createLargeAccount(services, size), false);
  process.stdout.write(JSON.stringify(account), () => process.exit());
}
