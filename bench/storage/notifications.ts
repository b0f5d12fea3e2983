import type pg from 'pg';
import { generateId } from '../../src/shared/ids.ts';
import type { Measurement } from '../table.ts';
import { createMeasurement, measureWal, readTableSize } from './table-statistics.ts';

const STEPS = 100;
const NOTIFICATIONS_A_STEP = 2_000;
const USERS = 1_000;
const READERS_A_STEP = 100;
const BATCH_SIZE = 100;

const TABLE = 'notifications';
const BASELINE_TABLE = 'bench_notifications';

/**
 * Measure what notifications take that are inserted, decided on and mostly read, in the table of the service and in a
 * copy with default settings. The statements are those of the service, reduced to what they write.
 */
export async function measureNotifications(client: pg.Client, share: number): Promise<Measurement[]> {
  const userIds = await prepareTables(client);
  const wal = new Map([TABLE, BASELINE_TABLE].map((table) => [table, 0]));
  for (let step = 0; step < STEPS; step += 1) {
    const rows = createNotifications(userIds, Math.round(NOTIFICATIONS_A_STEP * share));
    const firstReader = (step * READERS_A_STEP) % USERS;
    const readers = userIds.slice(firstReader, firstReader + READERS_A_STEP);
    for (const [table, mib] of wal)
      wal.set(table, mib + (await measureWal(client, () => runStep(client, table, rows, readers))));
  }
  const measure = async (table: string) => ({
    ...(await readTableSize(client, table)),
    walMib: wal.get(table) ?? 0,
  });
  const [service, baseline] = [await measure(TABLE), await measure(BASELINE_TABLE)];
  return [
    createMeasurement([TABLE, 'table', 'MiB'], service.heapMib, baseline.heapMib, { max: 1.05 }),
    createMeasurement([TABLE, 'indexes', 'MiB'], service.indexMib, baseline.indexMib, { max: 1.05 }),
    createMeasurement([TABLE, 'WAL', 'MiB'], service.walMib, baseline.walMib, { max: 1.05 }),
  ];
}

async function prepareTables(client: pg.Client): Promise<string[]> {
  await client.query(`DROP TABLE IF EXISTS ${BASELINE_TABLE}`);
  await client.query(`TRUNCATE ${TABLE}, notification_deliveries`);
  await client.query(`CREATE TABLE ${BASELINE_TABLE} (LIKE ${TABLE} INCLUDING ALL)`);
  const ids = Array.from({ length: USERS }, () => generateId());
  await client.query(
    `INSERT INTO users (id, email) SELECT id, id || '@example.org' FROM unnest($1::text[]) AS id`,
    [ids],
  );
  return ids;
}

function createNotifications(userIds: readonly string[], count: number) {
  return Array.from({ length: count }, (_, index) => ({
    userId: userIds[index % userIds.length] ?? '',
    type: 'DEFAULT' as const,
    event: 'QR_CODE_SCANNED' as const,
    data: { qrCodeId: generateId(), scanId: generateId(), code: 'Suitcase', place: 'Berlin, DE' },
    key: `scan:${generateId()}`,
  }));
}

async function runStep(
  client: pg.Client,
  table: string,
  rows: ReturnType<typeof createNotifications>,
  readers: readonly string[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE) {
    const content = rows.slice(from, from + BATCH_SIZE).map((row) => ({ id: generateId(), ...row }));
    await client.query(
      `INSERT INTO ${table} (id, key, user_id, type, event, data)
       SELECT id, key, "userId", type, event, data FROM jsonb_to_recordset($1::jsonb)
         AS row (id text, key text, "userId" text, type text, event text, data jsonb)`,
      [JSON.stringify(content)],
    );
    await client.query(
      `WITH due AS MATERIALIZED (
         SELECT id FROM ${table} WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       UPDATE ${table} AS claimed SET due_at = NULL FROM due WHERE claimed.id = due.id`,
      [new Date(Date.now() + 1_000), BATCH_SIZE],
    );
  }
  for (const userId of readers)
    await client.query(`UPDATE ${table} SET read_at = now() WHERE user_id = $1 AND read_at IS NULL`, [
      userId,
    ]);
}
