import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { SecretsMissingError } from '../../src/sandbox/secrets-file.ts';
import { checkKeys, WrongKeysError } from '../../src/start/check-keys.ts';
import { openSecrets } from '../../src/start/open-secrets.ts';
import { cloneDatabase } from '../helper.ts';

async function scratch(t: Test) {
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-keys-'));
  const url = await cloneDatabase(t);
  const database = openDatabase({ url: url.application, poolSize: 2, onError: () => {} });
  t.teardown(async () => {
    await database.close();
    await url.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { database, dataDir, config: loadConfig({ DATA_DIR: dataDir, DATABASE_URL: url.application }) };
}

t.test('Keys are made once for an empty database, and never again', async (t) => {
  const { database, dataDir, config } = await scratch(t);
  const first = await openSecrets(config, database);
  await checkKeys(database, first);
  t.same(await openSecrets(config, database), first, 'the second start has the same');
  await unlink(join(dataDir, 'secrets.json'));
  await t.rejects(openSecrets(config, database), SecretsMissingError);
});

t.test('A start whose keys or peppers do not match the database is refused', async (t) => {
  const { database, config } = await scratch(t);
  const secrets = await openSecrets(config, database);
  await checkKeys(database, secrets);
  const other = randomBytes(32).toString('base64');
  await t.rejects(checkKeys(database, { ...secrets, ENCRYPTION_KEYS: `k1:${other}` }), WrongKeysError);
  await t.rejects(checkKeys(database, { ...secrets, PASSWORD_PEPPERS: `k1:${other}` }), WrongKeysError);
  const more = { ...secrets, ENCRYPTION_KEYS: `k2:${other},${secrets.ENCRYPTION_KEYS}` };
  await checkKeys(database, more);
  await t.rejects(checkKeys(database, secrets), WrongKeysError, 'a key once used must stay');
});
