// Kill the real service 200 times at random moments of uploads, replacements and deletions of documents, and restart it
// each time. Then compare every document with the acknowledged state, and rows with files: `npm run bench:file-kills --
// [kills]`. Exits with 1 if an acknowledged change is lost or undone, or if files and rows differ.
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../src/start/find-free-port.ts';
import { compareFiles } from './files/compare-files.ts';
import { createDocumentClients } from './files/document-clients.ts';
import { createKillableService } from './files/killable-service.ts';
import { readNumberArguments } from './read-arguments.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { type ScratchDatabase, withScratchDatabase } from './scratch-database.ts';

const [kills = 0] = readNumberArguments(import.meta.url, 200);

const CLIENT_COUNT = 6;
const MAX_UPTIME_MS = 1_500;

const buildResult = spawnSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (buildResult.status !== 0) throw new Error('The service cannot be built.');
process.exitCode = await withScratchDatabase(measureKills);

async function measureKills(scratch: ScratchDatabase): Promise<number> {
  const port = await findFreePort();
  const service = createKillableService(scratch, port);
  const base = `http://localhost:${port}`;
  const client = new pg.Client({ connectionString: scratch.ownerUrl });
  await client.connect();
  try {
    await service.start();
    const owner = await createOwner(base, scratch.ownerUrl);
    const clients = createDocumentClients(base, owner.token);
    for (let kill = 1; kill <= kills; kill += 1) {
      let isKilled = false;
      const working = clients.work(CLIENT_COUNT, () => isKilled);
      await wait(Math.random() * MAX_UPTIME_MS);
      isKilled = true;
      await service.end('SIGKILL');
      await working;
      await service.start();
      if (kill % 10 !== 0) continue;
      process.stderr.write(`${kill} of ${kills} kills\n`);
      clients.use(await owner.logIn());
    }
    const errors = await clients.compare();
    const { documents } = clients;
    const deleted = documents.filter(({ content }) => content === null).length;
    const unsure = documents.filter(({ pendingContent }) => pendingContent !== null).length;
    console.log(
      `${kills} kills; ${documents.length} documents acknowledged, ${deleted} of them deleted again`,
    );
    console.log(`${unsure} were under way at a kill: each is what it was before or after`);
    await service.end('SIGTERM');
    errors.push(...(await compareFiles(client, service.dataDir)));
    console.log(
      errors.length === 0 ? 'rows and files agree, nothing is lost or back' : `${errors.length} WRONG`,
    );
    for (const line of errors.slice(0, 20)) console.error(line);
    return errors.length === 0 ? 0 : 1;
  } finally {
    await service.end('SIGKILL');
    await client.end();
  }
}
