import { sealNextAuditBatch } from '../../../src/features/audit/seal-batch.ts';
import { insertAuditEntry } from '../../../src/platform/audit.repository.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { runPgTransaction } from '../../../src/platform/driver-transaction.ts';
import { createTestGate } from '../../gate.ts';
import { DATABASE_TIMEOUTS, startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createSealedTrail, insertTestEntries, sealAllEntries, verifyAppTrail } from './helper.ts';

const record = { action: 'QRCODE_UPDATED', outcome: 'SUCCESS', operation: 'test', requestId: 'r' } as const;

t.test(
  'entries are sealed in a chain from 1 without gaps, and the whole chain can be verified',
  async (t) => {
    const app = await startTestApp(t);
    t.match(await verifyAppTrail(app), { valid: true, sequence: 0, waiting: 0 }, 'an empty trail is whole');
    await createSealedTrail(app, [1, 7, 520]);
    const seals = await app.database.client.auditSeal.findMany({ orderBy: { sequence: 'asc' } });
    t.equal(seals.length, 528, 'each entry has its seal');
    t.same(
      seals.map(({ sequence }) => Number(sequence)),
      Array.from({ length: 528 }, (_, index) => index + 1),
    );
    const batches = await app.database.client.auditSealBatch.findMany({ orderBy: { lastSequence: 'asc' } });
    t.equal(batches.length, 4, 'a batch has 500 entries at most');
    for (const { lastSequence, lastHash } of batches)
      t.same(
        lastHash,
        seals.find(({ sequence }) => sequence === lastSequence)?.sealHash,
        'signs its last seal',
      );
    t.match(await verifyAppTrail(app), { valid: true, finding: null, sequence: 528, waiting: 0, batches: 4 });
    await insertTestEntries(app, 3);
    t.match(await verifyAppTrail(app), { valid: true, sequence: 528, waiting: 3, waitingSince: /^2/ });
  },
);

t.test('every column of an entry is sealed', async (t) => {
  const app = await startTestApp(t);
  const { rows } = await app.database.pool.query(
    `SELECT column_name FROM information_schema.columns WHERE table_name = 'audit_entries' ORDER BY ordinal_position`,
  );
  t.same(
    rows.map(({ column_name }) => column_name),
    [
      'id',
      'action',
      'severity',
      'resource_type',
      'resource_id',
      'actor_reference',
      'subject_reference',
      'outcome',
      'operation',
      'ip_hash',
      'user_agent_hash',
      'request_id',
      'changes',
      'created_at',
      'account_reference',
    ],
    'a new column needs a new canonical form: docs/security/audit-trail.md',
  );
});

t.test(
  'an entry that commits late is sealed late; no entry is skipped, whatever its id or time',
  async (t) => {
    const app = await startTestApp(t);
    const [added, commit] = [createTestGate(), createTestGate()];
    const late = app.database.transaction(async (tx) => {
      await insertAuditEntry(tx, record);
      added.open();
      await commit.whenOpened;
    });
    await added.whenOpened;
    await insertTestEntries(app, 5);
    t.equal(await sealAllEntries(app), 5);
    commit.open();
    await late;
    t.equal(await sealAllEntries(app), 1);
    await t.rejects(
      app.database.transaction(async (tx) => {
        await insertAuditEntry(tx, record);
        throw new Error('undone');
      }),
    );
    t.equal(await sealAllEntries(app), 0, 'a rolled-back entry does not block sealing');
    t.match(await verifyAppTrail(app), { valid: true, sequence: 6 });
  },
);

t.test('while one instance seals, another one skips its run, and writers do not wait', async (t) => {
  const app = await startTestApp(t);
  await insertTestEntries(app, 2);
  await runPgTransaction(app.database, 'WRITE', async (connection) => {
    await connection.query(`SELECT pg_advisory_xact_lock(hashtext('qr-profile-service audit sealer'))`);
    t.same(await sealNextAuditBatch(app.database, app.services.audit.signer), { sealed: 0, more: false });
    await insertTestEntries(app, 1);
  });
  t.equal(await sealAllEntries(app), 3);
});

t.test('8 parallel writers and sealers of two instances leave no fork, gap or unsealed entry', async (t) => {
  const app = await startTestApp(t);
  const other = openDatabase({
    url: app.services.config.databaseUrl ?? '',
    poolSize: 4,
    ...DATABASE_TIMEOUTS,
    onError: () => {},
  });
  t.teardown(() => other.close());
  let writing = true;
  const signer = app.services.audit.signer;
  const seal = async (database: TestApp['database']) => {
    let sealed = 0;
    while (writing) sealed += (await sealNextAuditBatch(database, signer)).sealed;
    return sealed;
  };
  const sealers = [seal(app.database), seal(other), seal(other)];
  await Promise.all(Array.from({ length: 8 }, () => insertTestEntries(app, 60)));
  writing = false;
  const sealed = (await Promise.all(sealers)).reduce((sum, count) => sum + count, 0);
  t.equal(sealed + (await sealAllEntries(app)), 480);
  t.match(await verifyAppTrail(app), { valid: true, sequence: 480, waiting: 0 });
});

t.test('erasing actors and origins keeps the trail intact', async (t) => {
  const app = await startTestApp(t);
  await app.createUser();
  await sealAllEntries(app);
  t.ok((await app.database.client.auditOrigin.count()) > 0);
  await app.database.pool.query('DELETE FROM audit_origins');
  await app.database.pool.query('DELETE FROM audit_actors');
  t.match(await verifyAppTrail(app), { valid: true, waiting: 0 });
});
