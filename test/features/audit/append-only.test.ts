import pg from 'pg';
import { prepareDatabase } from '../../../src/platform/prepare-database.ts';
import { JOB_QUEUES } from '../../../src/services.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createSealedTrail,
  getOwnerDatabaseUrl,
  insertTestEntries,
  runAsSchemaOwner,
  sealAllEntries,
  verifyAppTrail,
} from './helper.ts';

const STATEMENTS = [
  `UPDATE audit_entries SET outcome = 'FAILURE'`,
  'DELETE FROM audit_entries WHERE ip_hash IS NULL',
  'TRUNCATE audit_entries CASCADE',
  `UPDATE audit_seals SET seal_hash = sha256('x')`,
  'DELETE FROM audit_seals',
  'TRUNCATE audit_seals',
  `UPDATE audit_seal_batches SET signature = decode(repeat('00', 64), 'hex')`,
  'DELETE FROM audit_seal_batches',
  'TRUNCATE audit_seal_batches',
  'UPDATE audit_dropped_ranges SET first_sequence = 1',
  'TRUNCATE audit_dropped_ranges',
  `INSERT INTO audit_dropped_ranges (first_sequence, last_sequence, checkpoint)
   VALUES (1, 3, '{"sequence": 3, "sealHash": "${'00'.repeat(32)}", "signature": "", "keyId": ""}')`,
];

t.test('neither the application nor the schema owner can change or remove audit entries', async (t) => {
  const app = await startTestApp(t);
  await createSealedTrail(app, [3, 2]);
  for (const statement of STATEMENTS) {
    await t.rejects(app.database.pool.query(statement), { code: '42501' }, `application: ${statement}`);
    await t.rejects(
      runAsSchemaOwner(app, (client) => client.query(statement)),
      { code: '42501' },
      `owner: ${statement}`,
    );
  }
  t.match(await verifyAppTrail(app), { valid: true, sequence: 5 });
});

t.test('the application cannot change the sealing queue or the retention period', async (t) => {
  const app = await startTestApp(t);
  await createSealedTrail(app, [2]);
  for (const statement of [
    `INSERT INTO audit_unsealed VALUES ('${'a'.repeat(24)}')`,
    `UPDATE audit_unsealed SET entry_id = 'x'`,
    'INSERT INTO audit_retention (days) VALUES (90)',
    'DELETE FROM audit_retention',
    'ALTER TABLE audit_entries DISABLE TRIGGER USER',
  ]) {
    await t.rejects(app.database.pool.query(statement), { code: '42501' }, statement);
  }
});

t.test('verification finds an entry removed from the sealing queue', async (t) => {
  const app = await startTestApp(t);
  await insertTestEntries(app, 1);
  await app.database.pool.query('DELETE FROM audit_unsealed');
  t.equal(await sealAllEntries(app), 0);
  t.match(await verifyAppTrail(app), { valid: false, finding: { kind: 'INSERTED', sequence: null } });
});

t.test('verification names an entry removed before it is sealed', async (t) => {
  const app = await startTestApp(t);
  await insertTestEntries(app, 2);
  const { rows } = await app.database.pool.query('SELECT min(id) AS id FROM audit_entries');
  await runAsSchemaOwner(app, async (client) => {
    await client.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
    await client.query('DELETE FROM audit_origins');
    await client.query('DELETE FROM audit_entries WHERE id = $1', [rows[0].id]);
  });
  t.equal(await sealAllEntries(app), 1, 'the other entry is still sealed');
  t.match(await verifyAppTrail(app), { finding: { kind: 'REMOVED', sequence: null, entryId: rows[0].id } });
});

t.test('triggers reject changes even when owner and application share one database role', async (t) => {
  const app = await startTestApp(t);
  const url = getOwnerDatabaseUrl(app);
  const log = { info() {}, warn() {}, error() {} };
  const migrationsFolder = 'prisma/migrations';
  await prepareDatabase({ ownerUrl: url, applicationUrl: url, migrationsFolder, queues: JOB_QUEUES, log });
  await createSealedTrail(app, [3]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  for (const statement of STATEMENTS) await t.rejects(client.query(statement), { code: '42501' }, statement);
  t.match(await verifyAppTrail(app), { valid: true, sequence: 3 });
});
