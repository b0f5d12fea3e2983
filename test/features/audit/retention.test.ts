import { createAuditRetentionJob } from '../../../src/features/audit/retention.job.ts';
import { prepareDatabase } from '../../../src/platform/prepare-database.ts';
import { JOB_QUEUES } from '../../../src/services.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  getOwnerDatabaseUrl,
  insertTestEntries,
  runAsSchemaOwner,
  sealAllEntries,
  verifyAppTrail,
} from './helper.ts';

const DAYS = 100;

/** Seal entries of an age in days as one batch. */
async function batchOfAge(app: TestApp, count: number, days: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const id = generateId();
    await app.database.pool.query(
      `INSERT INTO audit_entries (id, action, severity, resource_type, outcome, operation, request_id, created_at)
       VALUES ($1, 'LOGIN_SUCCEEDED', 'LOW', 'SESSION', 'SUCCESS', 'test', 'r', now() - make_interval(days => $2))`,
      [id, days],
    );
    await app.database.pool.query(`INSERT INTO audit_origins VALUES ($1, '\\x00', '192.0.2.1', 'test')`, [
      id,
    ]);
  }
  await sealAllEntries(app);
}

async function keepFor(app: TestApp, auditRetentionDays: number | undefined): Promise<void> {
  const { databaseUrl: applicationUrl = '' } = app.services.config;
  const log = { info() {}, warn() {}, error() {} };
  const options = { migrationsFolder: 'prisma/migrations', queues: JOB_QUEUES, log };
  await prepareDatabase({
    ownerUrl: getOwnerDatabaseUrl(app),
    applicationUrl,
    auditRetentionDays,
    ...options,
  });
}

const drop = (app: TestApp) => createAuditRetentionJob(app.services.audit)({});

async function firstSequence(app: TestApp): Promise<number> {
  const first = await app.database.client.auditSeal.findFirst({ orderBy: { sequence: 'asc' } });
  return Number(first?.sequence ?? 0);
}

t.test('old entries are dropped in whole batches, and the rest can still be verified', async (t) => {
  const app = await startTestApp(t);
  await batchOfAge(app, 3, DAYS + 20);
  await batchOfAge(app, 4, DAYS + 10);
  await batchOfAge(app, 2, DAYS - 1);
  await insertTestEntries(app, 2);
  await sealAllEntries(app);
  await drop(app);
  t.equal(await firstSequence(app), 1, 'without AUDIT_RETENTION_DAYS entries are kept forever');

  await keepFor(app, DAYS);
  await drop(app);
  t.equal(await firstSequence(app), 8);
  t.equal(await app.database.client.auditEntry.count(), 5, 'one entry records the drop');
  t.equal(await app.database.client.auditEntry.count({ where: { action: 'AUDIT_RANGE_DROPPED' } }), 1);
  await sealAllEntries(app);
  t.match(await verifyAppTrail(app), { valid: true, droppedThrough: 7, sequence: 12 });
  await drop(app);
  t.match(await verifyAppTrail(app), { valid: true, droppedThrough: 7 }, 'a second run drops nothing more');

  await runAsSchemaOwner(app, async (client) => {
    await client.query('ALTER TABLE audit_dropped_ranges DISABLE TRIGGER USER');
    await client.query(
      `UPDATE audit_dropped_ranges SET checkpoint = jsonb_set(checkpoint, '{at}', '"2020-01-01T00:00:00.000Z"')`,
    );
  });
  t.match(await verifyAppTrail(app), { finding: { kind: 'SIGNATURE', sequence: 1, through: 7 } });
});

t.test(
  'without a retention period no further entries are dropped, and the rest can be verified',
  async (t) => {
    const app = await startTestApp(t);
    await keepFor(app, DAYS);
    await batchOfAge(app, 3, DAYS + 20);
    await batchOfAge(app, 1, 0);
    await drop(app);
    await sealAllEntries(app);
    await runAsSchemaOwner(app, (client) => client.query('DELETE FROM audit_retention'));
    await drop(app);
    t.match(await verifyAppTrail(app), { valid: true, droppedThrough: 3, sequence: 5 });
  },
);

t.test('the application cannot drop young entries or incomplete ranges', async (t) => {
  const app = await startTestApp(t);
  await batchOfAge(app, 3, DAYS + 20);
  await batchOfAge(app, 2, DAYS - 1);
  await batchOfAge(app, 2, DAYS + 5);
  const { rows } = await app.database.pool.query<{ last: number; hash: string }>(
    `SELECT last_sequence::int AS last, encode(last_hash, 'hex') AS hash FROM audit_seal_batches ORDER BY 1`,
  );
  const ask = (sequence: number, hash: string | undefined) =>
    app.database.pool.query('SELECT drop_audit_range($1)', [
      { sequence, sealHash: hash, keyId: '0'.repeat(16), signature: '00' },
    ]);
  const [old, young, last] = rows;
  const refused = { code: '42501' };
  await t.rejects(ask(3, old?.hash), { ...refused, message: /kept for ever/ });
  await keepFor(app, DAYS);
  await t.rejects(ask(5, young?.hash), { ...refused, message: /younger/ });
  await t.rejects(ask(7, last?.hash), { ...refused, message: /never the last one/ });
  await t.rejects(ask(2, old?.hash), refused, 'not the end of a batch');
  await t.rejects(ask(3, last?.hash), refused, 'the hash of another batch');
  await t.rejects(
    keepFor(app, 1),
    /audit_retention_days_bounded/,
    'a retention period of one day is rejected',
  );
  await runAsSchemaOwner(app, async (client) => {
    await client.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    await client.query('DELETE FROM audit_origins');
    await client.query(
      'DELETE FROM audit_entries WHERE id = (SELECT entry_id FROM audit_seals WHERE sequence = 2)',
    );
    await client.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
  });
  await t.rejects(ask(3, old?.hash), { ...refused, message: /not whole/ });
  await drop(app);
  t.equal(await firstSequence(app), 1, 'the job keeps an incomplete range for investigation');
});

t.test('a batch with an invalid signature is not replaced by a checkpoint', async (t) => {
  const app = await startTestApp(t);
  await keepFor(app, DAYS);
  await batchOfAge(app, 3, DAYS + 20);
  await batchOfAge(app, 1, 0);
  await runAsSchemaOwner(app, async (client) => {
    await client.query('ALTER TABLE audit_seal_batches DISABLE TRIGGER USER');
    await client.query(
      `UPDATE audit_seal_batches SET signature = decode(repeat('01', 64), 'hex') WHERE last_sequence = 3`,
    );
    await client.query('ALTER TABLE audit_seal_batches ENABLE TRIGGER USER');
  });
  await t.rejects(drop(app), /Retention stopped at/);
  t.equal(await firstSequence(app), 1);
});
