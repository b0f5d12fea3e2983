import { randomBytes } from 'node:crypto';
import { runCommand } from '../../src/commands/command-context.ts';
import { type CommandProgress, createCommandProgress } from '../../src/commands/progress.ts';
import { generateId } from '../../src/shared/ids.ts';
import { generateData, rollUpData } from './generate-data.ts';

/** Fill the database of the service, and print the account to log in with. */
export function fillDatabase(scans: number): Promise<void> {
  return runCommand('bench data', async ({ services, signal }) => {
    if (services.config.production) {
      console.error('It makes accounts and scans that never were: not in production.');
      return 1;
    }
    const email = `bench-${generateId()}@example.org`;
    const password = randomBytes(15).toString('base64url');
    const options = { scans, email, password, onProgress: createProgressByName(), signal };
    try {
      const { size, organization } = await generateData(services, options);
      const rollUps = await rollUpData(services, options);
      console.log(`
${size.scans} scans of an organization and ${size.others} of ${size.users} other people, rolled up to ${rollUps.buckets} spans in ${Math.round(rollUps.seconds)} s.
  account   ${email}
  password  ${password}
  code      ${organization.codes[0]} with ${size.knownCodeScans} scans
  code      ${organization.codes[1]} with ${size.busyCodeScans} scans`);
      return 0;
    } catch (error) {
      if (!signal.aborted) throw error;
      console.error('Ended before all was made; what is there is whole.');
      return 130;
    }
  });
}

export function createProgressByName(): (name: string, done: number, total: number) => void {
  const bars = new Map<string, CommandProgress>();
  return (name, done, total) => {
    const bar = bars.get(name) ?? createCommandProgress(process.stderr, name);
    bars.set(name, bar);
    bar.step(done, total);
    if (done >= total) bar.end();
  };
}
