import pg from 'pg';
import { createAuditSigner } from '../../../src/features/audit/audit-signer.ts';
import { formatAuditCheckpointLine } from '../../../src/features/audit/checkpoint-line.ts';
import { sealNextAuditBatch } from '../../../src/features/audit/seal-batch.ts';
import type { TrailFinding } from '../../../src/features/audit/trail-finding.ts';
import { verifyDatabaseAuditTrail } from '../../../src/features/audit/verify-database-trail.ts';
import { createSignedAuditCheckpoint } from '../../../src/features/audit/write-checkpoints.ts';
import { insertAuditEntry } from '../../../src/platform/audit.repository.ts';
import { type Database, openDatabase } from '../../../src/platform/database.ts';
import { runPgTransaction } from '../../../src/platform/driver-transaction.ts';
import { DISABLE_TRIGGERS_SQL, type ExpectedFinding, type Tampering } from './tamperings.ts';

const AUDIT_SIGNER = createAuditSigner('gcbwS+ktN1oPuOTBaS16U+C5X4wdRqcuO/CJTF0W6ic=', undefined);

export interface TamperingOutcome {
  name: string;
  expected: ExpectedFinding;
  finding: TrailFinding | null;
  found: boolean;
}

interface DatabaseServer {
  ownerUrl: string;
  applicationUrl: string;
}

/** Two template databases: a sealed trail, and the same trail at half its length. They must have no connections. */
export interface TrailTemplates {
  server: DatabaseServer;
  fullDatabase: string;
  halfDatabase: string;
  checkpointLine: string;
}

/** Create a sealed trail in batches of various sizes from `empty`, a migrated database. */
export async function createTrailTemplates(
  server: DatabaseServer,
  empty: string,
  prefix: string,
  entries: number,
): Promise<TrailTemplates> {
  const [halfDatabase, fullDatabase] = [`${prefix}_half`, `${prefix}_whole`];
  await runAsOwner(server, `CREATE DATABASE ${halfDatabase} TEMPLATE ${empty}`);
  await withDatabase(server, halfDatabase, (database) =>
    appendSealedEntries(database, Math.floor(entries / 2)),
  );
  await runAsOwner(server, `CREATE DATABASE ${fullDatabase} TEMPLATE ${halfDatabase}`);
  const checkpointLine = await withDatabase(server, fullDatabase, async (database) => {
    await appendSealedEntries(database, entries - Math.floor(entries / 2));
    return createCheckpointLine(database);
  });
  return { server, fullDatabase, halfDatabase, checkpointLine };
}

export async function dropTrailTemplates({
  server,
  fullDatabase,
  halfDatabase,
}: TrailTemplates): Promise<void> {
  for (const name of [fullDatabase, halfDatabase])
    await runAsOwner(server, `DROP DATABASE IF EXISTS ${name}`);
}

/** Tamper with a copy of the trail and verify it against an earlier checkpoint; `seed` determines the positions. */
export async function runTampering(
  templates: TrailTemplates,
  tampering: Tampering,
  seed: number,
): Promise<TamperingOutcome> {
  const { server, fullDatabase, halfDatabase } = templates;
  const name = `${fullDatabase}_copy`;
  await runAsOwner(
    server,
    `CREATE DATABASE ${name} TEMPLATE ${tampering.restoresOlderCopy ? halfDatabase : fullDatabase}`,
  );
  try {
    return await withDatabase(server, name, async (database) => {
      // Without a restored copy the checkpoint names the database itself: another name would count as an older copy.
      const line = tampering.restoresOlderCopy
        ? templates.checkpointLine
        : await createCheckpointLine(database);
      const verify = () =>
        verifyDatabaseAuditTrail({
          database,
          signer: AUDIT_SIGNER,
          checkpointFile: { readLines: async () => [line], append: async () => {} },
        });
      const before = await verify();
      if (!tampering.restoresOlderCopy && !before.valid)
        throw new Error(`Found before it was tampered with: ${before.finding?.meaning}`);
      const client = new pg.Client({ connectionString: setDatabaseName(server.ownerUrl, name) });
      await client.connect();
      await client.query(DISABLE_TRIGGERS_SQL);
      const expected = await tampering
        .tamper({ client, last: before.sequence, random: createSeededRandomInteger(seed) })
        .finally(() => client.end());
      const { finding } = await verify();
      const found = finding?.kind === expected.kind && finding.sequence === expected.sequence;
      return { name: tampering.name, expected, finding, found };
    });
  } finally {
    await runAsOwner(server, `DROP DATABASE ${name}`);
  }
}

async function appendSealedEntries(database: Database, entries: number): Promise<void> {
  for (let createdCount = 0, size = 1; createdCount < entries; createdCount += size, size = (size * 7) % 41) {
    const now = Math.min(size, entries - createdCount);
    await Promise.all(Array.from({ length: now }, (_, index) => addEntry(database, createdCount + index)));
    await sealNextAuditBatch(database, AUDIT_SIGNER);
  }
}

async function addEntry(database: Database, number: number): Promise<void> {
  await insertAuditEntry(database.client, {
    action: number % 3 === 0 ? 'QRCODE_UPDATED' : 'MEDICAL_DATA_READ',
    outcome: 'SUCCESS',
    operation: 'qrcodes.update',
    requestId: `r-${number}`,
    resourceId: '65b2f0c0a1b2c3d4e5f60718',
    changes: ['title', ''],
    ...(number % 2 === 0 ? { origin: { ip: '192.0.2.1', userAgent: 'test' } } : {}),
  });
}

async function createCheckpointLine(database: Database): Promise<string> {
  const checkpoint = await runPgTransaction(database, 'SNAPSHOT', (connection) =>
    createSignedAuditCheckpoint(connection, AUDIT_SIGNER),
  );
  if (!checkpoint) throw new Error('Nothing is sealed.');
  return formatAuditCheckpointLine(checkpoint);
}

async function withDatabase<Result>(
  { applicationUrl }: DatabaseServer,
  name: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({
    url: setDatabaseName(applicationUrl, name),
    poolSize: 10,
    onError: () => {},
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function runAsOwner({ ownerUrl }: DatabaseServer, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (let tries = 0; ; tries += 1) {
      // The server may still count a connection that was just closed.
      const failure: unknown = await client
        .query(sql)
        .then(() => null)
        .catch((error: unknown) => error);
      if (failure === null) return;
      if (tries > 100 || Reflect.get(Object(failure), 'code') !== '55006') throw failure;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await client.end();
  }
}

function setDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

function createSeededRandomInteger(seed: number): (from: number, to: number) => number {
  let state = seed >>> 0;
  return (from, to) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) % (to - from + 1));
  };
}
