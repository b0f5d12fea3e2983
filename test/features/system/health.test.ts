import { spawnSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createMailMessageId } from '../../../src/providers/mail/mail.port.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp } from '../../helper.ts';
import { runQuery } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';

interface Dependency {
  name: string;
  required: boolean;
  status: string;
}

const SMTP_URL = 'smtp://mail:secret-of-the-mail-server@127.0.0.1:1';

t.test('readiness names every dependency with its last result, and no secret', async (t) => {
  const { call, services } = await startTestApp(t, {
    SMTP_URL,
    CLAMD_URL: 'tcp://127.0.0.1:1',
    GEOCODER_URL: 'http://127.0.0.1:1',
    AUDIT_CHECKPOINT_URL: 'http://127.0.0.1:1',
  });
  const ready = await call('GET', '/api/health/ready');
  t.equal(ready.status, 200, ready.text);
  const read = async () =>
    Object.fromEntries(
      (await call('GET', '/api/health/ready')).body.dependencies.map(
        ({ name, required, status }: Dependency) => [name, `${required ? 'required' : 'optional'} ${status}`],
      ),
    );
  t.match(await read(), {
    database: 'required up',
    files: 'required up',
    migrations: 'optional up',
    worker: /^optional (?:up|unknown)$/,
    'malware scanner': 'optional down',
    'mail server': 'optional unknown',
    'geocoding server': 'optional unknown',
    'receiver of checkpoints': /^optional (?:down|unknown)$/,
  });
  t.match(ready.body.degraded, ['malware scanner']);
  t.notMatch(ready.text, /secret|127\.0\.0\.1|smtp/);
  const mail = {
    messageId: createMailMessageId(generateId(), 'example.org'),
    to: 'ada@example.org',
    from: 'b@example.org',
  };
  const content = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  await t.rejects(
    services.mailProvider.send({ ...mail, ...content, to: 'ada@example.org, bob@example.org' }),
  );
  t.match(await read(), { 'mail server': 'optional unknown' }, 'a mail that is not sent says nothing');
  await t.rejects(services.mailProvider.send({ ...mail, ...content }));
  t.match(await read(), { 'mail server': 'optional down' });
  const { dependencies } = (await call('GET', '/api/health/ready')).body;
  const server = dependencies.find(({ name }: { name: string }) => name === 'mail server');
  t.match(server, { lastSuccessAt: null, lastFailureAt: /Z$/, lastFailureCode: /^E[A-Z]+$/ });
  await t.rejects(async () => services.reverseGeocoder?.reverseGeocode(52, 13));
  await t.rejects(async () => services.sendCheckpoint?.('{}'));
  const statuses = await read();
  t.match(statuses, { 'geocoding server': 'optional down', 'receiver of checkpoints': 'optional down' });
  t.match(dependencies[0], { name: 'database', lastSuccessAt: /Z$/, lastFailureAt: null });
});

t.test('a read-only database is not ready', async (t) => {
  const { call, services, database } = await startTestApp(t);
  const name = new URL(services.config.databaseUrl ?? '').pathname;
  const owner = new URL(process.env.TEST_OWNER_URL ?? '');
  owner.pathname = name;
  await runQuery(owner.href, `ALTER DATABASE ${name.slice(1)} SET default_transaction_read_only = on`);
  // Open sessions keep their default.
  await runQuery(
    services.config.databaseUrl ?? '',
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() AND usename = current_user',
  );
  await t.rejects(database.pool.query('DELETE FROM idempotency_keys'));
  const ready = await call('GET', '/api/health/ready');
  t.match([ready.status, ready.body.code], [503, 'DATABASE_UNAVAILABLE']);
  t.match(ready.body.dependencies, [{ name: 'database', required: true, status: 'down' }]);
});

t.test('a database whose disk is full is not ready until a change is stored', async (t) => {
  const { call, services } = await startTestApp(t);
  const { database } = services;
  const owner = new URL(process.env.TEST_OWNER_URL ?? '');
  owner.pathname = new URL(services.config.databaseUrl ?? '').pathname;
  const insert = () =>
    database.client.attemptBudget.create({ data: { key: generateId(), used: 1, windowEndsAt: new Date() } });
  await runQuery(
    owner.href,
    `CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
     CREATE TRIGGER fill_disk BEFORE INSERT ON attempt_budgets EXECUTE FUNCTION fill_disk()`,
  );
  await t.rejects(insert());
  const full = await call('GET', '/api/health/ready');
  t.match([full.status, full.body.code], [503, 'DATABASE_UNAVAILABLE']);
  t.match(full.body.dependencies, [{ name: 'database', status: 'down', lastFailureCode: '53100' }]);
  await database.pool.query("DELETE FROM attempt_budgets WHERE key = 'absent'");
  t.equal((await call('GET', '/api/health/ready')).status, 503, 'a change of no rows stores nothing');
  await runQuery(owner.href, 'DROP TRIGGER fill_disk ON attempt_budgets');
  await insert();
  t.equal((await call('GET', '/api/health/ready')).status, 200);
});

t.test('a service whose disk for files is full is not ready', async (t) => {
  const { call, dataDir } = await startTestApp(t);
  const folder = join(dataDir, 'files');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=777', 'tmpfs', folder]);
  if (mounted.status !== 0) {
    t.pass('NOT RUN', { skip: 'this user cannot mount a small disk' });
    return;
  }
  t.teardown(() => spawnSync('umount', ['--lazy', folder]));
  const ready = await call('GET', '/api/health/ready');
  t.match([ready.status, ready.body.code], [503, 'PROVIDER_UNAVAILABLE']);
  const files = ready.body.dependencies.find(({ name }: Dependency) => name === 'files');
  t.match(files, { status: 'down', lastFailureCode: 'ENOSPC' });
});

t.test('a service that cannot store files is not ready', async (t) => {
  const { call, dataDir } = await startTestApp(t);
  await rename(join(dataDir, 'files'), join(dataDir, 'away'));
  const ready = await call('GET', '/api/health/ready');
  t.match([ready.status, ready.body.code, ready.headers['retry-after']], [503, 'PROVIDER_UNAVAILABLE', '5']);
});
