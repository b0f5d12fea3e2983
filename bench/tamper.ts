// Tampers 200 times with copies of a sealed trail of 2,000 entries, in every way that bench/tamperings.ts knows, and
// looks whether the verification names the first entry that is wrong: `npm run bench:tamper`. Ends with 1 when not.
import pg from 'pg';
import { withScratchDatabase } from './scratch-database.ts';
import { dropTemplates, makeTemplates, tamperWith } from './tampered-trail.ts';
import { TAMPERINGS, type Tampering } from './tamperings.ts';
import { wordsOf } from './usage.ts';

wordsOf(import.meta.url);

const TIMES = 200;
const ENTRIES = 2_000;

process.exitCode = await main();

async function main(): Promise<number> {
  return withScratchDatabase(async ({ ownerUrl, applicationUrl }) => {
    const empty = new URL(ownerUrl).pathname.slice(1);
    // Databases are made and removed from beside the one that is copied.
    const server = { ownerUrl: await besides(ownerUrl), applicationUrl };
    const templates = await makeTemplates(server, empty, 'tamper', ENTRIES);
    const found = new Map<string, { tried: number; found: number }>();
    for (let time = 0; time < TIMES; time += 1) {
      const tampering = TAMPERINGS[time % TAMPERINGS.length] as Tampering;
      const outcome = await tamperWith(templates, tampering, time);
      const count = found.get(outcome.name) ?? { tried: 0, found: 0 };
      found.set(outcome.name, {
        tried: count.tried + 1,
        found: count.found + (outcome.found ? 1 : 0),
      });
      if (!outcome.found) console.log('NOT FOUND', JSON.stringify(outcome));
    }
    await dropTemplates(templates);
    for (const [name, count] of found) console.log(`${count.found} of ${count.tried}  ${name}`);
    const all = [...found.values()].reduce((sum, count) => sum + count.found, 0);
    console.log(`${all} of ${TIMES} tamperings found, each with its kind and the first wrong entry`);
    return all === TIMES ? 0 : 1;
  });
}

/** The owner's address on a database of its own. */
async function besides(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('CREATE DATABASE beside');
  await client.end();
  const url = new URL(ownerUrl);
  url.pathname = '/beside';
  return url.href;
}
