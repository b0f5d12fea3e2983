import pg from 'pg';
import {
  addScanPartitions,
  dropScanPartitionsBefore,
} from '../../../src/features/scans/scan-partitions.repository.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { runQuery } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { startScans } from './helper.ts';

const test = await startScans(t);
const { call, database, code } = test;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

async function openTransaction(url: string, statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('BEGIN');
  await client.query(statement);
  return client;
}

async function listPartitions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'scans'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

t.test('partitions are made ahead for twelve months, without a default one', async (t) => {
  const month = daysFromNow(364).toISOString().slice(0, 7).replace('-', '_');
  const names = await listPartitions();
  t.ok(names.includes(`partitions.scans_${month}`), names.join(' '));
  t.notOk(names.includes('partitions.scans_default'));
});

t.test('a scan without a partition is 503 and an error in the log, not a fault of the finder', async (t) => {
  const { call, code, services, log } = await startScans(t);
  const pet = await code();
  const owner = Object.assign(new URL(process.env.TEST_OWNER_URL ?? ''), {
    pathname: new URL(services.config.databaseUrl ?? '').pathname,
  }).href;
  const month = new Date().toISOString().slice(0, 7).replace('-', '_');
  await runQuery(owner, `ALTER TABLE scans DETACH PARTITION partitions.scans_${month}`);
  const body = { qrCodeId: pet };
  for (const options of [{ body }, { body, headers: { 'idempotency-key': 'without-a-partition' } }]) {
    const answer = await call('POST', '/api/scans/public', options);
    t.match([answer.status, answer.body.code], [503, 'DATABASE_UNAVAILABLE']);
  }
  t.equal((await call('GET', `/s/${pet}`)).status, 503);
  const lines = log.map((line) => JSON.parse(line)).filter(({ problem }) => problem !== undefined);
  t.equal(lines.length, 3);
  for (const line of lines) t.match(line, { level: 50, error: { code: 'MISSING_PARTITION' } });
});

t.test('partitions are added while a report reads and scans are stored', async (t) => {
  const pet = await code();
  const scan = async () => (await call('POST', '/api/scans/public', { body: { qrCodeId: pet } })).status;
  const reader = await openTransaction(test.services.config.databaseUrl ?? '', 'SELECT count(*) FROM scans');
  let isAdding = true;
  const adding = addScanPartitions(database.client, daysFromNow(400), daysFromNow(460)).finally(() => {
    isAdding = false;
  });
  const statuses: number[] = [];
  while (isAdding) statuses.push(await scan());
  t.ok((await adding) >= 2, 'the report did not end before');
  statuses.push(await scan());
  t.same(new Set(statuses), new Set([201]));
  await reader.query('COMMIT');
});

t.test('an old scan needs no partition of its own, and ends with the retention', async (t) => {
  const pet = await code();
  const { scan } = (await call('POST', '/api/scans/public', { body: { qrCodeId: pet } })).body;
  const row = await database.client.scan.findFirstOrThrow({ where: { id: scan.id } });
  const ages = [2_000, 500, 100];
  const ids = ages.map((days) => generateId(daysFromNow(-days)));
  for (const id of ids) await database.client.scan.create({ data: { ...row, id } });
  t.equal(await addScanPartitions(database.client, daysFromNow(-2_000), daysFromNow(-1_900)), 0);
  await dropScanPartitionsBefore(database.client, daysFromNow(-365));
  const remaining = await database.client.scan.findMany({ where: { id: { in: ids } }, select: { id: true } });
  t.same(remaining, [{ id: ids[2] }]);
});
