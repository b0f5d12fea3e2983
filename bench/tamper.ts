// Tamper 200 times with copies of a sealed trail of 2,000 entries, in every way that bench/tamperings.ts lists, and
// check that verification finds the first wrong entry: `npm run bench:tamper`. Exits with 1 if not.
import pg from 'pg';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';
import { createTrailTemplates, dropTrailTemplates, runTampering } from './tampered-trail.ts';
import { TAMPERINGS, type Tampering } from './tamperings.ts';

readArguments(import.meta.url);

const RUNS_PER_TAMPERING = 200;
const ENTRY_COUNT = 2_000;

process.exitCode = await main();

async function main(): Promise<number> {
  return withScratchDatabase(async ({ ownerUrl, applicationUrl }) => {
    const empty = new URL(ownerUrl).pathname.slice(1);
    // Connect to another database: one with connections cannot be copied.
    const server = { ownerUrl: await getScratchDatabaseUrl(ownerUrl), applicationUrl };
    const templates = await createTrailTemplates(server, empty, 'tamper', ENTRY_COUNT);
    const resultsByName = new Map<string, { tried: number; resultsByName: number }>();
    for (let time = 0; time < RUNS_PER_TAMPERING; time += 1) {
      const tampering = TAMPERINGS[time % TAMPERINGS.length] as Tampering;
      const outcome = await runTampering(templates, tampering, time);
      const count = resultsByName.get(outcome.name) ?? { tried: 0, resultsByName: 0 };
      resultsByName.set(outcome.name, {
        tried: count.tried + 1,
        resultsByName: count.resultsByName + (outcome.found ? 1 : 0),
      });
      if (!outcome.found) console.log('NOT FOUND', JSON.stringify(outcome));
    }
    await dropTrailTemplates(templates);
    for (const [name, count] of resultsByName)
      console.log(`${count.resultsByName} of ${count.tried}  ${name}`);
    const all = [...resultsByName.values()].reduce((sum, count) => sum + count.resultsByName, 0);
    console.log(
      `${all} of ${RUNS_PER_TAMPERING} tamperings found, each with its kind and the first wrong entry`,
    );
    return all === RUNS_PER_TAMPERING ? 0 : 1;
  });
}

async function getScratchDatabaseUrl(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('CREATE DATABASE beside');
  await client.end();
  const url = new URL(ownerUrl);
  url.pathname = '/beside';
  return url.href;
}
