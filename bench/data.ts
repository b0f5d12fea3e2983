// Fills the service's database (that of its settings, or the embedded one) with scans to measure with:
//   npm run bench:data -- 1000000    an organization with so many scans over three years, and other people with a
//                                    twentieth as many; then rolls them up. Says whom to log in as.
import { randomBytes } from 'node:crypto';
import { runCommand } from '../src/commands/command-context.ts';
import { generateId } from '../src/shared/ids.ts';
import { foldData, makeData } from './data/make-data.ts';
import { progressByName } from './data/progress-by-name.ts';
import { isNumber, wordsOf } from './usage.ts';

const [scans = ''] = wordsOf(import.meta.url, areScans);

await runCommand('bench:data', async ({ services, signal }) => {
  if (services.config.production) {
    console.error('It makes accounts and scans that never were: not in production.');
    return 1;
  }
  const shown = progressByName();
  const account = {
    email: `bench-${generateId()}@example.org`,
    password: randomBytes(15).toString('base64url'),
  };
  const options = { scans: Number(scans), ...account, progress: shown, stopping: signal };
  try {
    const { size, organization } = await makeData(services, options);
    const folded = await foldData(services, options);
    console.log(`
${size.scans} scans of an organization and ${size.others} of ${size.people} other people, rolled up to ${folded.spans} spans in ${Math.round(folded.seconds)} s.
  account   ${account.email}
  password  ${account.password}
  code      ${organization.codes[0]} with ${size.known} scans
  code      ${organization.codes[1]} with ${size.busy} scans`);
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Ended before all was made; what is there is whole.');
    return 130;
  }
});

function areScans(words: readonly string[]): boolean {
  return words.length === 1 && words.every(isNumber) && Number(words[0]) >= 100;
}
