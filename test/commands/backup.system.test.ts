import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import type { Test } from 'tap';
import { attachOrStartEmbeddedPostgres } from '../../src/start/attach-embedded-postgres.ts';
import { insertTestEntries, sealAllEntries } from '../features/audit/helper.ts';
import { createTestCode } from '../features/codes/code-helper.ts';
import { uploadDocument } from '../features/documents/upload.ts';
import { startScans } from '../features/scans/helper.ts';
import { cloneDatabase } from '../helper.ts';
import { startS3Server } from '../s3-server.ts';
import {
  createPreparedDataFolder,
  createScratchFolder,
  retryUntilSuccess,
  runQuery,
  SILENT_LOG,
  waitForExit,
} from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getNodeArguments } from '../transpiled-scripts.ts';
import { createKeyFilePath, getCommandSettings } from './keys-helper.ts';
import { runCommandInProcess } from './run-command.ts';

async function startSource(t: Test, environment: Record<string, string> = {}) {
  const app = await startScans(t, { ENCRYPTION_KEYS_FILE: await createKeyFilePath(t), ...environment });
  // Codes are created until the backup ends.
  await app.database.pool.query(`UPDATE subscription_packages SET limits = limits || '{"qrCodes": null}'`);
  const settings: Record<string, string> = {
    ...getCommandSettings(app),
    UPLOADS_DIR: join(app.dataDir, 'uploads'),
    ...environment,
  };
  return { app, settings, backups: await createScratchFolder(t) };
}

/** Settings of an empty database and empty folders, with the keys of `source` or with none. */
async function createTarget(t: Test, source: Record<string, string> = {}, template?: string) {
  const database = await cloneDatabase(t, template);
  t.teardown(database.drop);
  const folder = await createScratchFolder(t);
  return {
    ...source,
    DATA_DIR: join(folder, 'data'),
    UPLOADS_DIR: join(folder, 'uploads'),
    DATABASE_URL: database.application,
    DATABASE_OWNER_URL: database.owner,
  };
}

async function createIdentity(t: Test) {
  const identity = await generateIdentity();
  const file = join(await createScratchFolder(t), 'identity.txt');
  await writeFile(file, `# for a test\n${identity}\n`);
  return { file, recipient: await identityToRecipient(identity) };
}

function getBackupPath({ out }: { out: string }): string {
  return /^Backup: (.+)$/m.exec(out)?.[1] ?? '';
}

/** What somebody can do who can write where backups are kept: change a row and the hash beside it. */
async function promoteInBackup(folder: string, userId: string) {
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const table = manifest.database.tables.find(({ name }: { name: string }) => name === 'users');
  const file = join(folder, 'database', 'public.users.copy.gz');
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split('\n');
  const changed = lines.map((line) => (line.includes(userId) ? line.replace('\tUSER\t', '\tADMIN\t') : line));
  const bytes = gzipSync(changed.join('\n'));
  table.part = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  await writeFile(file, bytes);
  await writeFile(path, JSON.stringify(manifest));
  return lines.join() !== changed.join();
}

/** What a restore takes apart and puts together again. */
const SCHEMA_SQL = `
  SELECT 'column' AS kind, attrelid::regclass::text AS relation, attname::text AS name, format_type(atttypid, atttypmod) AS definition
    FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
    WHERE relnamespace::regnamespace::text IN ('public', 'partitions') AND relkind IN ('r', 'p') AND attnum > 0
  UNION ALL
  SELECT 'constraint', conrelid::regclass::text, conname::text, concat_ws(' ', pg_get_constraintdef(oid), obj_description(oid, 'pg_constraint'))
    FROM pg_constraint WHERE connamespace::regnamespace::text IN ('public', 'partitions', 'pgboss')
  UNION ALL
  SELECT 'trigger', tgrelid::regclass::text, tgname::text, concat_ws(' ', tgenabled, obj_description(oid, 'pg_trigger'))
    FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT 'partition', inhrelid::regclass::text, '', concat_ws(' ', pg_get_expr(relpartbound, c.oid), obj_description(c.oid, 'pg_class'))
    FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid WHERE relkind = 'r'
  UNION ALL
  SELECT 'privilege', oid::regclass::text, '', relacl::text FROM pg_class
    WHERE relnamespace::regnamespace::text IN ('public', 'reporting') AND relkind IN ('r', 'p', 'v')
  ORDER BY 1, 2, 3`;

const TABLES_SQL = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname IN ('public', 'pgboss') AND tablename NOT IN
    ('_prisma_migrations', 'compatible_migrations', 'rate_counters', 'version', 'queue', 'instances')
  ORDER BY 1`;

async function hashTables(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const hashes: Record<string, unknown> = {};
  for (const { name } of (await client.query(TABLES_SQL)).rows) {
    const { rows } = await client.query(
      `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS hash, count(*) AS count
       FROM (SELECT ${name.split('.').at(-1)}::text AS line FROM ${name}) AS lines`,
    );
    hashes[name] = rows[0];
  }
  await client.end();
  return hashes;
}

t.test('a backup restores every row, file and key into an empty installation', async (t) => {
  const { app, settings, backups } = await startSource(t);
  const identity = await createIdentity(t);
  const codeId = await app.code({ pin: '1234' });
  await app.scan({ qrCodeId: codeId });
  t.equal((await uploadDocument(app, app.owner.accessToken)).status, 201);
  await insertTestEntries(app, 3);
  await sealAllEntries(app);
  await runQuery(
    settings.DATABASE_OWNER_URL ?? '',
    "SELECT add_scan_partitions('2029-01-01'::date, '2029-01-01'::date)",
  );
  t.same(
    await runQuery(settings.DATABASE_OWNER_URL ?? '', 'SELECT sequencename FROM pg_sequences'),
    [],
    'a backup has no values of sequences',
  );
  // Its jobs would change rows between the backup and the comparison.
  await app.services.jobs.stop();

  const backup = await runCommandInProcess(
    'backup',
    settings,
    ...['--to', backups, '--recipient', identity.recipient, '--keep', '1'],
  );
  t.match(backup, {
    code: 0,
    errors: /^files: .*\nrows: .*\nfiles: .*\n$/,
    out: /The keys are in keys\.age/,
  });
  const from = getBackupPath(backup);
  t.equal((await stat(from)).mode & 0o777, 0o700);
  const expected = await hashTables(settings.DATABASE_OWNER_URL ?? '');
  const schema = await runQuery(settings.DATABASE_OWNER_URL ?? '', SCHEMA_SQL);

  const target = await createTarget(t, {}, 'template1');
  const refused = await runCommandInProcess('restore', target, '--from', from);
  t.match(refused, { code: 78, out: '', errors: /The secrets and encryption keys are missing\.\n/ });
  const restore = (...words: string[]) =>
    runCommandInProcess('restore', target, '--from', from, '--identity', identity.file, ...words);
  const part = join(from, 'database', 'public.qr_codes.copy.gz');
  const content = await readFile(part);
  await appendFile(part, 'x');
  t.match(await restore(), {
    code: 65,
    out: '',
    errors: /public\.qr_codes\.copy\.gz is not what was written/,
  });
  await writeFile(part, content);
  const manifest = await readFile(join(from, 'manifest.json'), 'utf8');
  const users = await readFile(join(from, 'database', 'public.users.copy.gz'));
  t.ok(await promoteInBackup(from, app.owner.id), 'a row was changed');
  t.match(await restore(), {
    code: 65,
    out: '',
    errors: /manifest\.json is not what was written: its MAC differs/,
  });
  await writeFile(join(from, 'database', 'public.users.copy.gz'), users);
  await writeFile(join(from, 'manifest.json'), JSON.stringify({ ...JSON.parse(manifest), mac: undefined }));
  t.match(await restore(), { code: 78, out: '', errors: /The backup has no MAC/ });
  await writeFile(join(from, 'manifest.json'), manifest);
  const other = await createIdentity(t);
  t.match(await runCommandInProcess('restore', target, '--from', from, '--identity', other.file), {
    code: 65,
    out: '',
    errors: 'restore: The keys cannot be decrypted with this identity.\n',
  });
  t.same(await runQuery(target.DATABASE_OWNER_URL, TABLES_SQL), [], 'nothing was changed');

  const restored = await restore();
  t.match(restored, {
    code: 0,
    errors: /^checks: /,
    out: /The audit trail is valid: \d+ sealed entries\.\n/,
  });
  const found = await hashTables(target.DATABASE_OWNER_URL);
  const changed = Object.keys(expected).filter(
    (name) => JSON.stringify(found[name]) !== JSON.stringify(expected[name]),
  );
  t.same(changed, ['public.audit_entries', 'public.audit_unsealed'], 'only the entry of the restore');
  t.same(await runQuery(target.DATABASE_OWNER_URL, SCHEMA_SQL), schema);
  t.match(
    await runQuery(target.DATABASE_OWNER_URL, 'SELECT action FROM audit_entries ORDER BY id DESC LIMIT 1'),
    [{ action: 'DATABASE_RESTORED' }],
  );
  t.match(await restore(), { code: 78, out: '', errors: /The database is not empty/ });

  const withoutKeys = await createTarget(t, {}, 'template1');
  t.match(await runCommandInProcess('restore', withoutKeys, '--from', from, '--without-keys'), {
    code: 1,
    errors: /The MAC of the backup was not verified: that needs the keys\./,
  });

  const second = await runCommandInProcess('backup', settings, '--to', backups, '--keep', '1');
  t.match(second, { code: 0, out: /The keys are not in it/ });
  t.match(second.out, '1 older backup removed.');
  t.same(await readdir(backups), [getBackupPath(second).split('/').at(-1)]);
});

t.test('a backup under writes is one snapshot, which an embedded database restores', async (t) => {
  const { app, settings, backups } = await startSource(t);
  const acknowledged: string[] = [];
  let isWriting = true;
  const write = async () => {
    while (isWriting) {
      const { id } = await createTestCode(app, app.owner);
      await app.scan({ qrCodeId: id });
      acknowledged.push(id);
      if (acknowledged.length % 3 === 0)
        await app.call('DELETE', `/api/qrcodes/${id}`, { token: app.owner.accessToken });
    }
  };
  const writers = [write(), write()];
  await retryUntilSuccess(async () => {
    if (acknowledged.length < 5) throw new Error('not yet');
  });
  const before = [...acknowledged];
  const backup = await runCommandInProcess('backup', settings, '--to', backups);
  isWriting = false;
  await Promise.all(writers);
  t.equal(backup.code, 0, backup.errors);
  t.ok(acknowledged.length > before.length, 'there were writes meanwhile');

  const folder = await createPreparedDataFolder(t);
  const { DATABASE_URL: _url, DATABASE_OWNER_URL: _ownerUrl, ...keys } = settings;
  const target = { ...keys, DATA_DIR: folder, UPLOADS_DIR: join(folder, 'uploads') };
  const restored = await runCommandInProcess('restore', target, '--from', getBackupPath(backup));
  t.equal(restored.code, 0, restored.errors);
  const database = await attachOrStartEmbeddedPostgres({ dataDir: folder, log: SILENT_LOG });
  t.teardown(database.stop);
  const rows = await runQuery(database.ownerUrl, 'SELECT id FROM qr_codes');
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of before) t.ok(ids.has(id), 'what was acknowledged before is in it');
  t.same(
    await runQuery(
      database.ownerUrl,
      `SELECT (SELECT sum(total) FROM scan_counts)::int - (SELECT count(*) FROM scans)::int AS uncounted,
         (SELECT sum(active + deleted) FROM qr_code_counts)::int - (SELECT count(*) FROM qr_codes)::int AS uncounted_codes`,
    ),
    [{ uncounted: 0, uncounted_codes: 0 }],
  );
});

t.test('an interrupted backup leaves nothing that a restore accepts', async (t) => {
  const database = await cloneDatabase(t);
  t.teardown(database.drop);
  const backups = await createScratchFolder(t);
  const settings = {
    DATA_DIR: await createScratchFolder(t),
    DATABASE_URL: database.application,
    DATABASE_OWNER_URL: database.owner,
  };
  const lock = new pg.Client({ connectionString: settings.DATABASE_OWNER_URL });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
  const interrupt = async (signal: NodeJS.Signals, ...options: string[]) => {
    const args = [...getNodeArguments('src/commands/backup.ts'), '--to', backups, ...options];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test', ...settings },
      stdio: 'ignore',
    });
    const end = waitForExit(child);
    // It waits for the table then.
    await retryUntilSuccess(async () => {
      const [name = ''] = await readdir(backups);
      await stat(join(backups, name, 'database'));
    });
    child.kill(signal);
    return end;
  };
  t.equal(await interrupt('SIGINT'), 130);
  t.same(await readdir(backups), []);
  t.equal(await interrupt('SIGTERM', '--every', '24h'), 0);
  t.same(await readdir(backups), []);
  t.equal(await interrupt('SIGKILL'), 'SIGKILL');
  await lock.end();
  const [left = ''] = await readdir(backups);
  t.match(left, /^\..+\.incomplete$/);
  t.match(await runCommandInProcess('restore', settings, '--from', join(backups, left)), {
    code: 65,
    errors: /is not a complete backup: it has no manifest\.json/,
  });
});

t.test('files that are missing are named, also those of a bucket', async (t) => {
  const s3 = await startS3Server(t);
  const { app, settings, backups } = await startSource(t, s3.environment);
  await app.code();
  await app.code();
  for (const { imageFile } of await app.database.client.qrCode.findMany())
    await app.app.inject(`/uploads/qrcodes/${imageFile}`);
  const names: string[] = [];
  for await (const { name } of app.services.publicFiles.list()) names.push(name);
  const [lost = ''] = names;
  const backup = await runCommandInProcess('backup', settings, '--to', backups);
  t.match(backup, {
    code: 0,
    out: /It has a list of 2 files \(1 MB\)\. They stay in the bucket files only\./,
  });
  await app.services.publicFiles.remove(lost);
  const target = await createTarget(t, settings);
  const path = join(getBackupPath(backup), 'manifest.json');
  const { mac, ...manifest } = JSON.parse(await readFile(path, 'utf8'));
  t.ok(mac);
  await writeFile(path, JSON.stringify(manifest));
  const restored = await runCommandInProcess(
    'restore',
    target,
    ...['--from', getBackupPath(backup), '--unverified'],
  );
  t.match(restored, { code: 1, out: /Found 1 of 2 files\./, errors: `\n${lost}: missing\n` });
});
