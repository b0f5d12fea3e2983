import pg from 'pg';
import { createAuditSigner } from '../src/features/audit/audit-signer.ts';
import { formatCheckpointLine } from '../src/features/audit/checkpoint-line.ts';
import { sealNextBatch } from '../src/features/audit/seal-batch.ts';
import type { TrailFinding } from '../src/features/audit/trail-finding.ts';
import { verifyDatabaseTrail } from '../src/features/audit/verify-database-trail.ts';
import { createSignedCheckpoint } from '../src/features/audit/write-checkpoints.ts';
import { insertAuditEntry } from '../src/platform/audit.repository.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { runDriverTransaction } from '../src/platform/driver-transaction.ts';
import { type Expected, SWITCH_OFF, type Tampering } from './tamperings.ts';

const KEYS = createAuditSigner('gcbwS+ktN1oPuOTBaS16U+C5X4wdRqcuO/CJTF0W6ic=', undefined);

/** How a tampering ended. */
export interface Outcome {
  name: string;
  expected: Expected;
  finding: TrailFinding | null;
  found: boolean;
}

interface Server {
  ownerUrl: string;
  applicationUrl: string;
}

/** Two databases to copy from: a sealed trail, and the same one when it was half as long; nobody is connected to them. */
export interface Templates {
  server: Server;
  whole: string;
  half: string;
  /** A checkpoint of the whole one. */
  line: string;
}

/**
 * Makes a sealed trail of `entries` entries, in batches of many sizes, in a database copied from `empty`, a migrated one.
 * The names of what it makes begin with `prefix`.
 */
export async function makeTemplates(
  server: Server,
  empty: string,
  prefix: string,
  entries: number,
): Promise<Templates> {
  const [half, whole] = [`${prefix}_half`, `${prefix}_whole`];
  await asOwner(server, `CREATE DATABASE ${half} TEMPLATE ${empty}`);
  await withDatabase(server, half, (database) => grow(database, Math.floor(entries / 2)));
  await asOwner(server, `CREATE DATABASE ${whole} TEMPLATE ${half}`);
  const line = await withDatabase(server, whole, async (database) => {
    await grow(database, entries - Math.floor(entries / 2));
    return lineOf(database);
  });
  return { server, whole, half, line };
}

/** Removes what `makeTemplates` made. */
export async function dropTemplates({ server, whole, half }: Templates): Promise<void> {
  for (const name of [whole, half]) await asOwner(server, `DROP DATABASE IF EXISTS ${name}`);
}

/** Tampers with a copy of the trail and verifies it against a checkpoint made before; `seed` chooses the places. */
export async function tamperWith(templates: Templates, tampering: Tampering, seed: number): Promise<Outcome> {
  const { server, whole, half } = templates;
  const name = `${whole}_copy`;
  await asOwner(server, `CREATE DATABASE ${name} TEMPLATE ${tampering.olderCopy ? half : whole}`);
  try {
    return await withDatabase(server, name, async (database) => {
      // That of a copy that is not older is its own: a database of another name would be an older one.
      const line = tampering.olderCopy ? templates.line : await lineOf(database);
      const verify = () =>
        verifyDatabaseTrail({
          database,
          signer: KEYS,
          checkpointFile: { readLines: async () => [line], append: async () => {} },
        });
      const before = await verify();
      if (!tampering.olderCopy && !before.whole)
        throw new Error(`Found before it was tampered with: ${before.finding?.meaning}`);
      const client = new pg.Client({ connectionString: on(server.ownerUrl, name) });
      await client.connect();
      await client.query(SWITCH_OFF);
      const expected = await tampering
        .tamper({ client, last: before.sequence, random: randomFrom(seed) })
        .finally(() => client.end());
      const { finding } = await verify();
      const found = finding?.kind === expected.kind && finding.sequence === expected.sequence;
      return { name: tampering.name, expected, finding, found };
    });
  } finally {
    await asOwner(server, `DROP DATABASE ${name}`);
  }
}

/** Adds entries and seals them in batches of 1 to 40. */
async function grow(database: Database, entries: number): Promise<void> {
  for (let made = 0, size = 1; made < entries; made += size, size = (size * 7) % 41) {
    const now = Math.min(size, entries - made);
    await Promise.all(Array.from({ length: now }, (_, index) => addOne(database, made + index)));
    await sealNextBatch(database, KEYS);
  }
}

async function addOne(database: Database, number: number): Promise<void> {
  await insertAuditEntry(database.client, {
    action: number % 3 === 0 ? 'QRCODE_UPDATED' : 'MEDICAL_DATA_READ',
    outcome: 'SUCCESS',
    operation: 'qrcodes.update',
    requestId: `r-${number}`,
    resourceId: '65b2f0c0a1b2c3d4e5f60718',
    changes: ['title', ''],
    ...(number % 2 === 0 ? { origin: { ip: '192.0.2.1', userAgent: 'bench' } } : {}),
  });
}

async function lineOf(database: Database): Promise<string> {
  const checkpoint = await runDriverTransaction(database, 'SNAPSHOT', (connection) =>
    createSignedCheckpoint(connection, KEYS),
  );
  if (!checkpoint) throw new Error('Nothing is sealed.');
  return formatCheckpointLine(checkpoint);
}

async function withDatabase<Result>(
  { applicationUrl }: Server,
  name: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ url: on(applicationUrl, name), poolSize: 10, onError: () => {} });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function asOwner({ ownerUrl }: Server, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (let tries = 0; ; tries += 1) {
      // A connection that was just closed may still be counted by the server.
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

function on(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Mulberry32: the same places for the same seed. */
function randomFrom(seed: number): (from: number, to: number) => number {
  let state = seed >>> 0;
  return (from, to) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) % (to - from + 1));
  };
}
