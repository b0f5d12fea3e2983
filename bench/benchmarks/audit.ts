import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAuditSealer } from '../../src/features/audit/audit-sealer.ts';
import { createAuditSigner } from '../../src/features/audit/audit-signer.ts';
import { verifyDatabaseAuditTrail } from '../../src/features/audit/verify-database-trail.ts';
import { insertAuditEntry } from '../../src/platform/audit.repository.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { openAuditCheckpointFile } from '../../src/providers/checkpoints/checkpoint-file.ts';
import { runQuery } from '../../test/scratch-folder.ts';
import type { OwnBenchmark, RoundOptions } from '../benchmark.ts';
import { alternateSides, measureMs } from '../measure.ts';
import { QUIET_LOG, type ScratchDatabase, withScratchDatabase } from '../scratch-database.ts';
import type { Measurement } from '../table.ts';

const WRITER_COUNT = 8;
const ENTRIES_PER_ROUND = 5_000;
const WARM_UP_ENTRIES = 500;
const MIN_RATIO = 0.9;

/**
 * Compare how fast eight writers add audit entries with and without the seal chain, and verify the trail. A writer only
 * adds entries, each in its own committed statement: the worst case for sealing. Writers and sealer share one process, as
 * in the service. Without the chain there is neither a sealer nor a trigger.
 */
export const auditBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    withScratchDatabase(async (scratch) => {
      await createUnsealedDatabase(scratch.ownerUrl);
      const open = (url: string) => openDatabase({ url, poolSize: 12, onError() {} });
      const sealed = open(scratch.applicationUrl);
      const unsealed = open(setDatabaseName(scratch.applicationUrl, 'bare'));
      try {
        return await compareWriters(options, scratch, { service: sealed, baseline: unsealed });
      } finally {
        await sealed.close();
        await unsealed.close();
      }
    }),
};

async function compareWriters(
  options: RoundOptions,
  { folder }: ScratchDatabase,
  databases: Record<'service' | 'baseline', Database>,
): Promise<Measurement[]> {
  const services = {
    database: databases.service,
    signer: createAuditSigner(randomBytes(32).toString('base64'), undefined),
    checkpointFile: openAuditCheckpointFile(join(folder, 'checkpoints.jsonl')),
    sendCheckpoint: undefined,
    log: QUIET_LOG,
  };
  const entries = options.scale(ENTRIES_PER_ROUND);
  for (const database of Object.values(databases)) await writeEntries(database, WARM_UP_ENTRIES);
  const rates = await alternateSides(options, async (side) => {
    const ms = await measureMs(async () => {
      const sealer = createAuditSealer(services);
      if (side === 'service') sealer.start();
      await writeEntries(databases[side], entries);
      // Include the sealing of all entries in the measured time.
      await sealer.stop();
    });
    return (entries / ms) * 1000;
  });
  const { valid, sequence, waiting } = await verifyDatabaseAuditTrail(services);
  const isComplete = valid && waiting === 0 && sequence === options.rounds * entries + WARM_UP_ENTRIES;
  if (!isComplete) throw new Error(`The trail is not valid: ${sequence} sealed, ${waiting} waiting.`);
  const named = { row: 'audit', measure: 'entries a second', unit: '/s' };
  return [{ ...named, ...rates, ratioGoal: { min: MIN_RATIO } }];
}

async function createUnsealedDatabase(ownerUrl: string): Promise<void> {
  // A database with connections cannot be copied.
  await runQuery(ownerUrl, 'CREATE DATABASE beside');
  const template = new URL(ownerUrl).pathname.slice(1);
  await runQuery(setDatabaseName(ownerUrl, 'beside'), `CREATE DATABASE bare TEMPLATE ${template}`);
  const bareUrl = setDatabaseName(ownerUrl, 'bare');
  await runQuery(bareUrl, 'DROP TRIGGER audit_entries_queue_unsealed ON audit_entries');
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

function setDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
