// Fill the database of the service (from its settings, or the embedded one) with scans for measurements:
//   npm run bench:data -- 1000000    an organization with so many scans over three years, and other users with a
//                                    twentieth as many; then roll them up. Prints the account to log in with.
import { randomBytes } from 'node:crypto';
import { runCommand } from '../src/commands/command-context.ts';
import { generateId } from '../src/shared/ids.ts';
import { generateData, rollUpData } from './data/generate-data.ts';
import { createProgressByName } from './data/progress-by-name.ts';
import { isWholeNumber, readArguments } from './read-arguments.ts';

const [scans = ''] = readArguments(import.meta.url, isScanCount);

await runCommand('bench:data', async ({ services, signal }) => {
  if (services.config.production) {
    console.error('It makes accounts and scans that never were: not in production.');
    return 1;
  }
  const printProgress = createProgressByName();
  const account = {
    email: `bench-${generateId()}@example.org`,
    password: randomBytes(15).toString('base64url'),
  };
  const options = { scans: Number(scans), ...account, onProgress: printProgress, signal };
  try {
    const { size, organization } = await generateData(services, options);
    const rollUps = await rollUpData(services, options);
    console.log(`
${size.scans} scans of an organization and ${size.others} of ${size.users} other people, rolled up to ${rollUps.buckets} spans in ${Math.round(rollUps.seconds)} s.
  account   ${account.email}
  password  ${account.password}
  code      ${organization.codes[0]} with ${size.knownCodeScans} scans
  code      ${organization.codes[1]} with ${size.busyCodeScans} scans`);
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Ended before all was made; what is there is whole.');
    return 130;
  }
});

function isScanCount(args: readonly string[]): boolean {
  return args.length === 1 && args.every(isWholeNumber) && Number(args[0]) >= 100;
}
