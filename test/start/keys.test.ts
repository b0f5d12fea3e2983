import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { parseKeySet } from '../../src/shared/crypto/key-set.ts';
import { CHECKED_SECRET_NAMES } from '../../src/shared/secret-names.ts';
import { verifyKeysMatchDatabase, WrongKeysError } from '../../src/start/check-keys.ts';
import { acceptSecret } from '../../src/start/check-secrets.ts';
import { openEncryptionKeyRing } from '../../src/start/keys/open-key-ring.ts';
import { loadServiceSecrets } from '../../src/start/open-secrets.ts';
import { SecretsMissingError } from '../../src/start/secrets-file.ts';
import { cloneDatabase, DATABASE_TIMEOUTS, TEST_SECRETS } from '../helper.ts';
import { SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';

async function scratch(t: Test) {
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-keys-'));
  const url = await cloneDatabase(t);
  const database = openDatabase({
    url: url.application,
    poolSize: 6,
    ...DATABASE_TIMEOUTS,
    onError: () => {},
  });
  t.teardown(async () => {
    await database.close();
    await url.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const config = loadConfig({ DATA_DIR: dataDir, DATABASE_URL: url.application });
  const keysOf = async () => (await openEncryptionKeyRing(config, database, SILENT_LOG)).current();
  return { database, dataDir, config, keysOf, file: join(dataDir, 'encryption-keys.json') };
}

t.test('creates keys once for an empty database', async (t) => {
  const { database, dataDir, config, keysOf, file } = await scratch(t);
  const first = await loadServiceSecrets(config, database);
  const keys = await keysOf();
  await verifyKeysMatchDatabase(database, first, keys);
  t.same(await loadServiceSecrets(config, database), first, 'the second start has the same');
  t.same([...(await keysOf()).keys], [...keys.keys]);
  t.equal((await stat(file)).mode & 0o777, 0o600);
  await unlink(file);
  await t.rejects(keysOf(), SecretsMissingError);
  await unlink(join(dataDir, 'secrets.json'));
  await t.rejects(loadServiceSecrets(config, database), SecretsMissingError);
});

t.test('names the command that creates the key file, for a new database only', async (t) => {
  const { database, config, keysOf, file } = await scratch(t);
  const openWithoutCreating = () => openEncryptionKeyRing(config, database, SILENT_LOG, false);
  await t.rejects(openWithoutCreating(), {
    name: 'ConfigError',
    message: `${file} is missing. The database is new: npm run keys -- add creates the file.`,
  });
  await t.rejects(stat(file), { code: 'ENOENT' });
  await verifyKeysMatchDatabase(database, await loadServiceSecrets(config, database), await keysOf());
  await unlink(file);
  await t.rejects(openWithoutCreating(), { name: 'SecretsMissingError', message: /restore the file/ });
});

t.test('rejects keys or peppers that do not match the database', async (t) => {
  const { database, config } = await scratch(t);
  const secrets = await loadServiceSecrets(config, database);
  const own = `k1:${randomBytes(32).toString('base64')}`;
  const check = (text: string, changed = {}) =>
    verifyKeysMatchDatabase(database, { ...secrets, ...changed }, parseKeySet(text));
  await check(own);
  const other = randomBytes(32).toString('base64');
  await t.rejects(check(`k1:${other}`), WrongKeysError);
  await t.rejects(check(own, { PASSWORD_PEPPERS: `k1:${other}` }), WrongKeysError);
  await check(`k2:${other},${own}`);
  await t.rejects(check(own), WrongKeysError, 'a key once used must stay');
  await database.client.encryptionKey.update({ where: { id: 'k1' }, data: { retiredAt: new Date() } });
  await check(`k2:${other}`);
  await t.rejects(check(`${own},k2:${other}`), { message: /k1 is retired and cannot be the primary/ });
});

t.test(
  'of parallel first starts with different keys exactly one succeeds and records its keys',
  async (t) => {
    const { database, config } = await scratch(t);
    const secrets = await loadServiceSecrets(config, database);
    const draw = () => randomBytes(32).toString('base64');
    const starts = Array.from({ length: 6 }, (_, nth) => ({
      secrets: { ...secrets, PASSWORD_PEPPERS: `p${nth % 2}:${draw()}`, JWT_SECRET: draw() },
      keySet: parseKeySet(`k${nth % 2}:${draw()}`),
    }));
    // All are connected, so that they start at once.
    await Promise.all(starts.map(() => database.pool.query('SELECT pg_sleep(0.3)')));
    const results = await Promise.allSettled(
      starts.map((start) => verifyKeysMatchDatabase(database, start.secrets, start.keySet)),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    t.equal(refused.length, 5);
    for (const one of refused) t.ok('reason' in one && one.reason instanceof WrongKeysError);
    const winner = starts[results.findIndex(({ status }) => status === 'fulfilled')];
    if (winner) await verifyKeysMatchDatabase(database, winner.secrets, winner.keySet);
    t.equal(await database.client.encryptionKey.count(), 2, 'one key and one pepper');
  },
);

t.test('rejects secrets that do not match the database until they are accepted', async (t) => {
  const { database, config } = await scratch(t);
  const secrets = await loadServiceSecrets(config, database);
  const own = `k1:${randomBytes(32).toString('base64')}`;
  const check = (changed = {}, text = own) =>
    verifyKeysMatchDatabase(database, { ...secrets, ...changed }, parseKeySet(text));
  const other = randomBytes(32).toString('base64');
  const foreign = await scratch(t);
  const wrongKey = { ...secrets, PASSWORD_PEPPERS: `p1:${other}` };
  await verifyKeysMatchDatabase(foreign.database, secrets, parseKeySet(own));
  await foreign.database.client.secretCheck.deleteMany();
  await t.rejects(
    verifyKeysMatchDatabase(foreign.database, wrongKey, parseKeySet(`k1:${other}`)),
    WrongKeysError,
  );
  t.same(await foreign.database.client.secretCheck.findMany(), [], 'a refused start records nothing');

  await check();
  for (const name of CHECKED_SECRET_NAMES) {
    const wrong = { [name]: other };
    await t.rejects(check(wrong), {
      name: 'WrongKeysError',
      message: new RegExp(`${name}: differs.*npm run maintenance -- accept-secret`),
    });
    t.notMatch(await check(wrong).catch(String), other, 'a secret is never printed');
    t.ok(await acceptSecret(database, { ...secrets, ...wrong }, name));
    t.notOk(await acceptSecret(database, { ...secrets, ...wrong }, name), 'once');
    await check(wrong);
    await t.rejects(check(), WrongKeysError, 'the previous one is refused now');
    t.ok(await acceptSecret(database, secrets, name));
    await check();
  }
  const stored = JSON.stringify(await database.client.secretCheck.findMany());
  for (const name of CHECKED_SECRET_NAMES) t.notMatch(stored, secrets[name]);
  const entries = await database.client.auditEntry.findMany({ where: { action: 'SECRET_ACCEPTED' } });
  t.equal(entries.length, 2 * CHECKED_SECRET_NAMES.length);
});

t.test('audits the first use of each key once', async (t) => {
  const { database, config } = await scratch(t);
  const secrets = await loadServiceSecrets(config, database);
  const [k1, k2] = [1, 2].map((n) => `k${n}:${randomBytes(32).toString('base64')}`);
  await Promise.all(
    Array.from({ length: 4 }, () => verifyKeysMatchDatabase(database, secrets, parseKeySet(k1 ?? ''))),
  );
  await verifyKeysMatchDatabase(database, secrets, parseKeySet(`${k2},${k1}`));
  const entries = await database.client.auditEntry.findMany({ orderBy: { id: 'asc' } });
  const entryTexts = entries.map(({ action, resourceId }) => `${action} ${resourceId}`).sort();
  t.same(entryTexts, [
    'KEY_ADDED k1',
    'KEY_ADDED k2',
    'KEY_ADDED pepper.k1',
    'KEY_PROMOTED k1',
    'KEY_PROMOTED k2',
  ]);
});

t.test('moves keys of secrets.json to their own file, also after an interruption', async (t) => {
  const { dataDir, keysOf, file } = await scratch(t);
  const secrets = join(dataDir, 'secrets.json');
  const [k1, k2] = [1, 2].map((n) => `k${n}:${randomBytes(32).toString('base64')}`);
  const old = JSON.stringify({ ...TEST_SECRETS, ENCRYPTION_KEYS: `${k2},${k1}` });
  await writeFile(secrets, old);
  const keys = await keysOf();
  t.equal(keys.primary, 'k2');
  const idsAndBytes = (set: typeof keys) =>
    [...set.keys].map(([id, key]) => `${id}:${key.export().toString('base64')}`).sort();
  t.same(idsAndBytes(keys), [k1, k2].sort());
  const { ENCRYPTION_KEYS: _gone, ...rest } = TEST_SECRETS;
  t.same(JSON.parse(await readFile(secrets, 'utf8')), rest, 'the other secrets stay');

  // Interrupted after the new file was written, before the old one was cleaned.
  await writeFile(secrets, old);
  t.same(idsAndBytes(await keysOf()), [k1, k2].sort());
  t.notMatch(await readFile(secrets, 'utf8'), 'ENCRYPTION_KEYS');

  // An old backup was restored.
  const k0 = `k0:${randomBytes(32).toString('base64')}`;
  await writeFile(secrets, JSON.stringify({ ...TEST_SECRETS, ENCRYPTION_KEYS: k0 }));
  const more = await keysOf();
  t.equal(more.primary, 'k2');
  t.same(idsAndBytes(more), [k0, k1, k2].sort());

  const foreign = JSON.stringify({
    ...TEST_SECRETS,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  });
  await writeFile(secrets, foreign);
  const before = await readFile(file, 'utf8');
  await t.rejects(keysOf(), { message: /different keys k1/ });
  t.equal(await readFile(secrets, 'utf8'), foreign, 'nothing is lost');
  t.equal(await readFile(file, 'utf8'), before);
});

t.test('reports an invalid key file without its content and does not overwrite it', async (t) => {
  const { keysOf, file } = await scratch(t);
  const key = randomBytes(32).toString('base64');
  const row = { id: 'k1', state: 'PRIMARY', createdAt: '2026-11-21T00:00:00.000Z', key };
  const invalidFiles = [
    '',
    '{"keys": [',
    '{}',
    '{"keys": []}',
    JSON.stringify({ keys: [{ ...row, key: undefined }] }),
    JSON.stringify({ keys: [{ ...row, key: key.slice(4) }] }),
    JSON.stringify({ keys: [{ ...row, state: 'DECRYPT' }] }),
    JSON.stringify({ keys: [{ ...row, createdAt: 'once' }] }),
    JSON.stringify({ keys: [row, row] }),
    JSON.stringify({ keys: [row, { ...row, state: 'DECRYPT', id: 'k2' }] }),
  ];
  for (const text of invalidFiles) {
    await writeFile(file, text);
    const error = await keysOf().catch((reason: unknown) => reason);
    t.ok(error instanceof SecretsMissingError, text.replaceAll(key, '…'));
    t.notOk(String(error).includes(key.slice(4, 12)));
    t.equal(await readFile(file, 'utf8'), text);
  }
});
