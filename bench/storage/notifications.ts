import type pg from 'pg';
import { claimDueNotifications } from '../../src/features/notifications/due-notification.repository.ts';
import { insertNotifications } from '../../src/features/notifications/insert-notification.repository.ts';
import { markAllNotificationsRead } from '../../src/features/notifications/notification.repository.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { Measurement } from '../table.ts';
import {
  createMeasurement,
  measureWal,
  readTableSize,
  readTableWrites,
  type TableWrites,
} from './table-statistics.ts';

const STEPS = 100;
const NOTIFICATIONS_A_STEP = 2_000;
const USERS = 1_000;
const READERS_A_STEP = 100;
const BATCH_SIZE = 100;

const TABLES = ['notifications', 'due_notifications'];
const BASELINE_TABLE = 'bench_notifications';

interface NotificationStore {
  insert(rows: ReturnType<typeof createNotifications>): Promise<void>;
  /** Returns how many were due. */
  claim(limit: number): Promise<number>;
  markRead(userIds: readonly string[]): Promise<void>;
}

/**
 * Measure what notifications write that are inserted, decided on and mostly read: those of the service, and a table with
 * default settings whose rows say when they are due.
 */
export async function measureNotifications(
  client: pg.Client,
  applicationUrl: string,
  share: number,
): Promise<Measurement[]> {
  const userIds = await prepareTables(client);
  const before = await readTableWrites(client, 'notifications');
  const database = openDatabase({ url: applicationUrl, poolSize: 2, onError: console.error });
  const stores = [createServiceStore(database), createBaselineStore(client)] as const;
  const wal = [0, 0];
  try {
    for (let step = 0; step < STEPS; step += 1) {
      const rows = createNotifications(userIds, Math.round(NOTIFICATIONS_A_STEP * share));
      const firstReader = (step * READERS_A_STEP) % USERS;
      const readers = userIds.slice(firstReader, firstReader + READERS_A_STEP);
      for (const [index, store] of stores.entries())
        wal[index] = (wal[index] ?? 0) + (await measureWal(client, () => runStep(store, rows, readers)));
    }
  } finally {
    await database.close();
  }
  return compareTables(client, before, wal);
}

async function prepareTables(client: pg.Client): Promise<string[]> {
  await client.query(`DROP TABLE IF EXISTS ${BASELINE_TABLE}`);
  await client.query(`TRUNCATE ${TABLES.join(', ')}, notification_deliveries`);
  await client.query(`CREATE TABLE ${BASELINE_TABLE}
    (LIKE notifications INCLUDING ALL, due_at timestamptz(3) DEFAULT now())`);
  await client.query(`CREATE INDEX ON ${BASELINE_TABLE} (due_at) WHERE due_at IS NOT NULL`);
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
  store: NotificationStore,
  rows: ReturnType<typeof createNotifications>,
  readers: readonly string[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE) {
    await store.insert(rows.slice(from, from + BATCH_SIZE));
    while ((await store.claim(BATCH_SIZE)) > 0);
  }
  await store.markRead(readers);
}

function createServiceStore(database: Database): NotificationStore {
  return {
    insert: (rows) => insertNotifications(database.client, rows),
    claim: (limit) =>
      database.transaction(async (tx) => (await claimDueNotifications(tx, new Date(), limit)).length),
    async markRead(userIds) {
      for (const userId of userIds) await database.transaction((tx) => markAllNotificationsRead(tx, userId));
    },
  };
}

function createBaselineStore(client: pg.Client): NotificationStore {
  return {
    async insert(rows) {
      const content = rows.map((row) => ({ id: generateId(), ...row }));
      await client.query(
        `INSERT INTO ${BASELINE_TABLE} (id, key, user_id, type, event, data)
         SELECT id, key, "userId", type, event, data FROM jsonb_to_recordset($1::jsonb)
           AS row (id text, key text, "userId" text, type text, event text, data jsonb)
         ON CONFLICT DO NOTHING`,
        [JSON.stringify(content)],
      );
    },
    async claim(limit) {
      const { rowCount } = await client.query(
        `WITH due AS MATERIALIZED (
           SELECT one.id FROM ${BASELINE_TABLE} AS one JOIN users AS recipient ON recipient.id = one.user_id
           WHERE one.due_at <= $1 ORDER BY one.due_at LIMIT $2
           FOR UPDATE OF one SKIP LOCKED FOR KEY SHARE OF recipient SKIP LOCKED
         )
         UPDATE ${BASELINE_TABLE} AS claimed SET due_at = NULL FROM due WHERE claimed.id = due.id`,
        [new Date(), limit],
      );
      return rowCount ?? 0;
    },
    async markRead(userIds) {
      for (const userId of userIds)
        await client.query(
          `UPDATE ${BASELINE_TABLE} SET read_at = now() WHERE user_id = $1 AND read_at IS NULL`,
          [userId],
        );
    },
  };
}

async function compareTables(
  client: pg.Client,
  before: TableWrites,
  wal: readonly number[],
): Promise<Measurement[]> {
  const size = await readTableSize(client, TABLES);
  const baselineSize = await readTableSize(client, [BASELINE_TABLE]);
  const total = await readTableWrites(client, 'notifications');
  const writes = {
    updates: total.updates - before.updates,
    hotUpdates: total.hotUpdates - before.hotUpdates,
    deadRows: total.deadRows,
  };
  const baseline = await readTableWrites(client, BASELINE_TABLE);
  const row = 'notifications';
  const countColdUpdates = ({ updates, hotUpdates }: TableWrites) => (updates - hotUpdates) / 1000;
  return [
    createMeasurement([row, 'updates', 'k'], writes.updates / 1000, baseline.updates / 1000, { max: 0.6 }),
    createMeasurement([row, 'updates, not HOT', 'k'], countColdUpdates(writes), countColdUpdates(baseline), {
      max: 0.6,
    }),
    createMeasurement([row, 'dead rows', 'k'], writes.deadRows / 1000, baseline.deadRows / 1000),
    createMeasurement([row, 'table', 'MiB'], size.heapMib, baselineSize.heapMib, { max: 1 }),
    createMeasurement([row, 'indexes', 'MiB'], size.indexMib, baselineSize.indexMib, { max: 1 }),
    createMeasurement([row, 'WAL', 'MiB'], wal[0] ?? 0, wal[1] ?? 0, { max: 1 }),
  ];
}
