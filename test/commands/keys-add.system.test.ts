import { readFile } from 'node:fs/promises';
import { formatKeyFile, type KeyFileEntry, parseKeyFile } from '../../src/shared/crypto/key-file.ts';
import { writePrivateFile } from '../../src/start/private-file.ts';
import { startTestApp } from '../helper.ts';
import { retryUntilSuccess } from '../scratch-folder.ts';
import { createTestKey } from '../shared/crypto/test-keys.ts';
import { t } from '../tap.ts';
import {
  createKeyFilePath,
  getCommandSettings,
  queryAsOwner,
  readKeyStates,
  runKeysCommand,
  runKeysCommandInProcess,
} from './keys-helper.ts';

t.test('does not promote a key while a running instance lacks it', async (t) => {
  const file = await createKeyFilePath(t);
  const app = await startTestApp(t, { ENCRYPTION_KEYS_FILE: file });
  const stale = (seconds: number) =>
    queryAsOwner(
      app,
      `INSERT INTO instances (id, key_ids, primary_key_id, last_heartbeat_at)
       VALUES ('65b2f0c0a1b2c3d4e5f60718', '{k1}', 'k1', now() + make_interval(secs => $1))
       ON CONFLICT (id) DO UPDATE SET last_heartbeat_at = excluded.last_heartbeat_at`,
      [seconds],
    );
  await stale(3600);
  const controller = runKeysCommand(getCommandSettings(app), 'add');
  await retryUntilSuccess(async () => {
    const states = await readKeyStates(file);
    if (!states.k2) throw new Error('not added yet');
    t.same(states, { k1: 'PRIMARY', k2: 'DECRYPT' });
  }, 60_000);
  t.match(await runKeysCommandInProcess(getCommandSettings(app), 'rotate'), {
    code: 75,
    errors: /Another command is changing the keys/,
  });
  t.same(await readKeyStates(file), { k1: 'PRIMARY', k2: 'DECRYPT' });
  await stale(-3600);
  t.match(await controller, { code: 0, out: /k2 is the primary key/ });
  t.same(await readKeyStates(file), { k1: 'DECRYPT', k2: 'PRIMARY' });
  t.match(
    await runKeysCommandInProcess(getCommandSettings(app), 'retire', 'k1'),
    { code: 75, errors: /(encrypts with key k1|has just changed its primary key)/ },
    'not while an instance may still encrypt with it',
  );
});

t.test('promotes a pending key on the next call', async (t) => {
  const file = await createKeyFilePath(t);
  const app = await startTestApp(t, { ENCRYPTION_KEYS_FILE: file });
  const waiting: KeyFileEntry = {
    id: 'k2',
    state: 'DECRYPT',
    createdAt: new Date(),
    key: createTestKey('k2'),
  };
  await writePrivateFile(file, formatKeyFile([...parseKeyFile(await readFile(file, 'utf8')), waiting]));
  t.match(await runKeysCommandInProcess(getCommandSettings(app), 'add'), {
    code: 0,
    out: /k2 was added earlier.*\n.*k2 is the primary/,
  });
  t.same(await readKeyStates(file), { k1: 'DECRYPT', k2: 'PRIMARY' });
});
