// Compare how fast 8 writers add 50,000 audit entries with and without the seal chain, in alternating rounds, and
// verify the trail: `npm run bench:audit`. Exits with 1 if a goal is missed.
//
// A writer only adds entries, each in its own committed statement: the worst case for sealing. Writers and sealer share
// one process, as in the service. Without the chain there is neither a sealer nor a trigger.
import { join } from 'node:path';
import pg from 'pg';
import { createAuditSealer } from '../src/features/audit/audit-sealer.ts';
import { createAuditSigner } from '../src/features/audit/audit-signer.ts';
import { verifyDatabaseAuditTrail } from '../src/features/audit/verify-database-trail.ts';
import { insertAuditEntry } from '../src/platform/audit.repository.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { openAuditCheckpointFile } from '../src/providers/checkpoints/checkpoint-file.ts';
import { getCpuSeconds } from './cpu-time.ts';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';

readArguments(import.meta.url);

const WRITER_COUNT = 8;
const ROUND_COUNT = 10;
const ENTRIES_PER_ROUND = 5_000;
const MIN_RATIO = 0.9;
const TEST_SIGNING_KEY = 'gcbwS+ktN1oPuOTBaS16U+C5X4wdRqcuO/CJTF0W6ic=';

process.exitCode = await main();

async function main(): Promise<number> {
  return withScratchDatabase(async ({ ownerUrl, applicationUrl, folder }) => {
    await createUnsealedDatabase(ownerUrl);
    const open = (url: string) => openDatabase({ url, poolSize: 12, onError: () => {} });
    const sealedDatabase = open(applicationUrl);
    const unsealedDatabase = open(setDatabaseName(applicationUrl, 'bare'));
    const services = {
      database: sealedDatabase,
      signer: createAuditSigner(TEST_SIGNING_KEY, undefined),
      checkpointFile: openAuditCheckpointFile(join(folder, 'checkpoints.jsonl')),
      sendCheckpoint: undefined,
      log: {
        info: () => {},
        error: (details: object, message: string) => console.error(message, details),
      },
    };
    try {
      for (const database of [sealedDatabase, unsealedDatabase]) await writeEntries(database, 500);
      const ratios: number[] = [];
      const secondsByDatabase = new Map<Database, number>();
      for (let round = 0; round < ROUND_COUNT; round += 1) {
        // Alternate the order, because the speed of the machine varies.
        const order =
          round % 2 === 0 ? [sealedDatabase, unsealedDatabase] : [unsealedDatabase, sealedDatabase];
        const rates = new Map<Database, number>();
        for (const database of order) {
          const before = await getCpuSeconds(folder);
          const startedAt = performance.now();
          const sealer = createAuditSealer(services);
          if (database === sealedDatabase) sealer.start();
          await writeEntries(database, ENTRIES_PER_ROUND);
          // Include the sealing of all entries in the measured time.
          await sealer.stop();
          rates.set(database, (ENTRIES_PER_ROUND / (performance.now() - startedAt)) * 1000);
          const cpuSeconds = ((await getCpuSeconds(folder)) ?? 0) - (before ?? 0);
          secondsByDatabase.set(database, (secondsByDatabase.get(database) ?? 0) + cpuSeconds);
        }
        const [sealedRate, unsealedRate] = [rates.get(sealedDatabase) ?? 0, rates.get(unsealedDatabase) ?? 1];
        ratios.push(sealedRate / unsealedRate);
        console.log(
          `${Math.round(sealedRate)} entries/s with the chain, ${Math.round(unsealedRate)} without: ${(sealedRate / unsealedRate).toFixed(3)}`,
        );
      }
      const ratio = median(ratios);
      console.log(`median ratio ${ratio.toFixed(3)}, goal ${MIN_RATIO}`);
      const [cpuOn, cpuOff] = [sealedDatabase, unsealedDatabase].map(
        (database) => ((secondsByDatabase.get(database) ?? 0) / ROUND_COUNT / ENTRIES_PER_ROUND) * 1e6,
      );
      console.log(
        `processor time of service and database server an entry: ${cpuOn?.toFixed(0)} µs with the chain, ${cpuOff?.toFixed(0)} without`,
      );
      const startedAt = performance.now();
      const result = await verifyDatabaseAuditTrail(services);
      const seconds = (performance.now() - startedAt) / 1000;
      const total = ROUND_COUNT * ENTRIES_PER_ROUND + 500;
      console.log(
        `${result.sequence} of ${total} entries sealed in ${result.batches} batches, ${result.waiting} waiting; ` +
          `${result.valid ? 'whole: no fork, no gap' : `wrong: ${result.finding?.meaning}`}; ` +
          `verified in ${seconds.toFixed(1)} s against ${result.checkpoints} checkpoints`,
      );
      const isRight = result.valid && result.sequence === total && result.waiting === 0;
      return isRight && ratio >= MIN_RATIO ? 0 : 1;
    } finally {
      await sealedDatabase.close();
      await unsealedDatabase.close();
    }
  });
}

async function createUnsealedDatabase(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('CREATE DATABASE beside');
  await client.end();
  const beside = new pg.Client({ connectionString: setDatabaseName(ownerUrl, 'beside') });
  await beside.connect();
  await beside.query(`CREATE DATABASE bare TEMPLATE ${new URL(ownerUrl).pathname.slice(1)}`);
  await beside.end();
  const unsealed = new pg.Client({ connectionString: setDatabaseName(ownerUrl, 'bare') });
  await unsealed.connect();
  await unsealed.query('DROP TRIGGER audit_entries_queue_unsealed ON audit_entries');
  await unsealed.end();
}

async function writeEntries(database: Database, entries: number): Promise<void> {
  let remaining = entries;
  const writer = async () => {
    while (remaining > 0) {
      remaining -= 1;
      await insertAuditEntry(database.client, {
        action: 'QRCODE_UPDATED',
        outcome: 'SUCCESS',
        operation: 'qrcodes.update',
        requestId: 'bench',
        resourceId: '65b2f0c0a1b2c3d4e5f60718',
        origin: { ip: '192.0.2.0', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) bench' },
        changes: ['title', 'data.notes'],
      });
    }
  };
  await Promise.all(Array.from({ length: WRITER_COUNT }, writer));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

function setDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
