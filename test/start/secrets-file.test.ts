import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  loadOrCreateStoredSecrets,
  readLegacyEncryptionKeys,
  SecretsMissingError,
} from '../../src/start/secrets-file.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

t.test('creates private secrets once and keeps them', async (t) => {
  const dataDir = await createScratchFolder(t);
  const made = await loadOrCreateStoredSecrets({ dataDir, mayGenerate: true });
  t.equal(Buffer.from(made.JWT_SECRET, 'base64').length, 32);
  t.equal(Buffer.from(made.HASH_SECRET, 'base64').length, 32);
  t.equal(Buffer.from(made.AUDIT_SIGNING_KEY, 'base64').length, 32);
  const [, pepper] = /^k1:([A-Za-z0-9+/]{43}=)$/.exec(made.PASSWORD_PEPPERS) ?? [];
  t.equal(Buffer.from(pepper ?? '', 'base64').length, 32);
  t.equal(new Set(Object.values(made)).size, 4, 'no two are the same');
  t.equal((await stat(join(dataDir, 'secrets.json'))).mode & 0o777, 0o600);
  t.same(await readdir(dataDir), ['secrets.json'], 'no draft is left');
  t.same(await loadOrCreateStoredSecrets({ dataDir, mayGenerate: true }), made);
  t.same(await loadOrCreateStoredSecrets({ dataDir, mayGenerate: false }), made);
});

t.test('fails without secrets for a database with data and creates nothing', async (t) => {
  const dataDir = await createScratchFolder(t);
  const error = await loadOrCreateStoredSecrets({ dataDir, mayGenerate: false }).catch(
    (reason: unknown) => reason,
  );
  t.ok(error instanceof SecretsMissingError);
  t.match(error, { message: join(dataDir, 'secrets.json') });
  t.same(await readdir(dataDir), []);
});

t.test('reports an invalid file without its content and does not overwrite it', async (t) => {
  const dataDir = await createScratchFolder(t);
  const path = join(dataDir, 'secrets.json');
  for (const text of ['', '{"JWT_SECRET": "canary', '{"JWT_SECRET": "canary"}', '["canary"]']) {
    await writeFile(path, text);
    const error = await loadOrCreateStoredSecrets({ dataDir, mayGenerate: true }).catch(
      (reason: unknown) => reason,
    );
    t.ok(error instanceof SecretsMissingError);
    t.notMatch(String(error), 'canary');
    t.equal(await readFile(path, 'utf8'), text);
  }
});

t.test('names the file of unreadable keys', async (t) => {
  const dataDir = await createScratchFolder(t);
  const path = join(dataDir, 'secrets.json');
  const made = await loadOrCreateStoredSecrets({ dataDir, mayGenerate: true });
  await writeFile(path, JSON.stringify({ ...made, PASSWORD_PEPPERS: 'canary', ENCRYPTION_KEYS: 'canary' }));
  const tries = {
    PASSWORD_PEPPERS: () => loadOrCreateStoredSecrets({ dataDir, mayGenerate: true }),
    ENCRYPTION_KEYS: () => readLegacyEncryptionKeys(dataDir),
  };
  for (const [name, attempt] of Object.entries(tries)) {
    const error = await attempt()
      .then(() => null)
      .catch((reason: unknown) => reason);
    t.ok(error instanceof SecretsMissingError);
    t.match(error, { message: `${path} is invalid (${name}: ` });
    t.notMatch(String(error), 'canary');
  }
});

t.test('parallel processes end up with the same secrets', async (t) => {
  const dataDir = await createScratchFolder(t);
  const all = await Promise.all(
    Array.from({ length: 10 }, () => loadOrCreateStoredSecrets({ dataDir, mayGenerate: true })),
  );
  t.equal(new Set(all.map((secrets) => secrets.JWT_SECRET)).size, 1);
});

t.test('adds a missing signing key, the same for parallel processes', async (t) => {
  const dataDir = await createScratchFolder(t);
  const path = join(dataDir, 'secrets.json');
  const { AUDIT_SIGNING_KEY: _, ...older } = await loadOrCreateStoredSecrets({ dataDir, mayGenerate: true });
  await writeFile(path, JSON.stringify({ ...older, SOMETHING_ELSE: 'stays' }));
  const all = await Promise.all(
    Array.from({ length: 10 }, () => loadOrCreateStoredSecrets({ dataDir, mayGenerate: false })),
  );
  t.equal(new Set(all.map((secrets) => secrets.AUDIT_SIGNING_KEY)).size, 1);
  t.equal(Buffer.from(all[0]?.AUDIT_SIGNING_KEY ?? '', 'base64').length, 32);
  t.match(JSON.parse(await readFile(path, 'utf8')), { ...all[0], SOMETHING_ELSE: 'stays' });
  t.equal((await stat(path)).mode & 0o777, 0o600);
});
