// Kills the real service 200 times at random moments of uploads, replacements and deletions of documents, and starts it again
// each time. Then compares every document with what its client was told, and rows with files:
// `npm run bench:file-kills -- [kills]`. Ends with 1 when anything that was acknowledged is lost or comes back, or a file and
// a row do not agree.
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../src/start/free-port.ts';
import { compareFiles } from './files/compare-files.ts';
import { createClients } from './files/deeds.ts';
import { killableService } from './files/killable-service.ts';
import { makeOwner } from './scan/scanned-codes.ts';
import { type ScratchDatabase, withScratchDatabase } from './scratch-database.ts';
import { numbersOf } from './usage.ts';

const [kills = 0] = numbersOf(import.meta.url, 200);

const CLIENTS = 6;
/** Milliseconds from a start to the kill, at most. */
const LIFE = 1_500;

const built = spawnSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (built.status !== 0) throw new Error('The service cannot be built.');
process.exitCode = await withScratchDatabase(measure);

async function measure(scratch: ScratchDatabase): Promise<number> {
  const port = await freePort();
  const service = killableService(scratch, port);
  const base = `http://localhost:${port}`;
  const client = new pg.Client({ connectionString: scratch.ownerUrl });
  await client.connect();
  try {
    await service.start();
    const owner = await makeOwner(base, scratch.ownerUrl);
    const clients = createClients(base, owner.token);
    for (let kill = 1; kill <= kills; kill += 1) {
      let isKilled = false;
      const working = clients.work(CLIENTS, () => isKilled);
      await wait(Math.random() * LIFE);
      isKilled = true;
      await service.end('SIGKILL');
      await working;
      await service.start();
      if (kill % 10 !== 0) continue;
      process.stderr.write(`${kill} of ${kills} kills\n`);
      clients.use(await owner.logIn());
    }
    const wrong = await clients.compare();
    const { documents } = clients;
    const deleted = documents.filter(({ content }) => content === null).length;
    const unsure = documents.filter(({ asked }) => asked !== null).length;
    console.log(
      `${kills} kills; ${documents.length} documents acknowledged, ${deleted} of them deleted again`,
    );
    console.log(`${unsure} were under way at a kill: each is what it was before or after`);
    await service.end('SIGTERM');
    wrong.push(...(await compareFiles(client, service.dataDir)));
    console.log(
      wrong.length === 0 ? 'rows and files agree, nothing is lost or back' : `${wrong.length} WRONG`,
    );
    for (const line of wrong.slice(0, 20)) console.error(line);
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await service.end('SIGKILL');
    await client.end();
  }
}
