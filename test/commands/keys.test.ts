import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { writePrivateFile } from '../../src/sandbox/private-file.ts';
import { type FileKey, formatKeyFile, parseKeyFile } from '../../src/shared/crypto/key-file.ts';
import { SECRETS, startApp, type TestApp } from '../helper.ts';
import { eventually } from '../sandbox/scratch.ts';
import { testKey } from '../shared/crypto/keys.ts';
import { asOwner, keysCommand, settingsOf } from './run-keys.ts';

const _MEDICAL = { kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada Lovelace', bloodType: 'A+' } };
const _PET = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };

async function scratch(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-keys-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'keys.json');
}

const statesOf = async (file: string) =>
  Object.fromEntries(parseKeyFile(await readFile(file, 'utf8')).map(({ id, state }) => [id, state]));

const _dataOf = async (app: TestApp, id = '') =>
  (await app.database.client.qrCode.findUniqueOrThrow({ where: { id } })).data ?? Buffer.alloc(0);

/** No instance counts as having changed its primary key a moment ago. */
const _longAgo = (app: TestApp) =>
  asOwner(app, "UPDATE key_holders SET primary_since = now() - interval '1 hour'");

t.test('A key does not become the primary one while a running instance lacks it', async (t) => {
  const file = await scratch(t);
  const app = await startApp(t, { ENCRYPTION_KEYS_FILE: file });
  const stale = (seconds: number) =>
    asOwner(
      app,
      `INSERT INTO key_holders (instance_id, key_ids, primary_key_id, seen_at)
       VALUES ('65b2f0c0a1b2c3d4e5f60718', '{k1}', 'k1', now() + make_interval(secs => $1))
       ON CONFLICT (instance_id) DO UPDATE SET seen_at = excluded.seen_at`,
      [seconds],
    );
  await stale(3600);
  const controller = keysCommand(settingsOf(app), 'add');
  await eventually(async () => {
    const states = await statesOf(file);
    if (!states.k2) throw new Error('not added yet');
    t.same(states, { k1: 'PRIMARY', k2: 'DECRYPT' });
  }, 60_000);
  // A second command on the keys meanwhile.
  t.match(await keysCommand(settingsOf(app), 'rotate'), { code: 75, errors: /Another command is at work/ });
  t.same(await statesOf(file), { k1: 'PRIMARY', k2: 'DECRYPT' });
  await stale(-3600);
  t.match(await controller, { code: 0, out: /k2 is the primary one/ });
  t.same(await statesOf(file), { k1: 'DECRYPT', k2: 'PRIMARY' });
  t.match(
    await keysCommand(settingsOf(app), 'retire', 'k1'),
    { code: 75, errors: /(writes with the key k1|changed its primary key a moment ago)/ },
    'not while an instance may still write with it',
  );
});

t.test('A key that was added and not promoted is finished by the next call', async (t) => {
  const file = await scratch(t);
  const app = await startApp(t, { ENCRYPTION_KEYS_FILE: file });
  const waiting: FileKey = { id: 'k2', state: 'DECRYPT', createdAt: new Date(), key: testKey('k2') };
  await writePrivateFile(file, formatKeyFile([...parseKeyFile(await readFile(file, 'utf8')), waiting]));
  t.match(await keysCommand(settingsOf(app), 'add'), {
    code: 0,
    out: /k2 was added before.*\n.*k2 is the primary/,
  });
  t.same(await statesOf(file), { k1: 'DECRYPT', k2: 'PRIMARY' });
});

t.test('Keys of a variable are shown and not changed; the first key of a file is made', async (t) => {
  const app = await startApp(t);
  const { ENCRYPTION_KEYS_FILE: _none, ...environment } = settingsOf(app);
  const added = await keysCommand({ ...environment, ENCRYPTION_KEYS: SECRETS.ENCRYPTION_KEYS }, 'add');
  t.match(added, { code: 0, errors: /nothing was changed/ });
  const [behind = '', before = ''] = added.out.trim().split('\n');
  t.ok(behind.startsWith(`ENCRYPTION_KEYS=${SECRETS.ENCRYPTION_KEYS},k2:`));
  t.ok(before.startsWith('ENCRYPTION_KEYS=k2:') && before.endsWith(`,${SECRETS.ENCRYPTION_KEYS}`));
  t.same((await app.database.client.encryptionKey.findMany()).map(({ id }) => id).sort(), [
    'k1',
    'pepper.p1',
  ]);

  const file = await scratch(t);
  const other = await startApp(t);
  const first = await keysCommand({ ...settingsOf(other), ENCRYPTION_KEYS_FILE: file }, 'add');
  t.match(first, { code: 0, out: `The first key, k1, is in ${file}.` });
  await rm(file);
  const gone = await keysCommand({ ...settingsOf(other), ENCRYPTION_KEYS_FILE: file }, 'add');
  t.match(gone, { code: 78, errors: /is missing/ }, 'not for a database with content');
});

t.test('What is typed wrong is 64 and shows how it is typed', async (t) => {
  const wrong = [[], ['add', 'k2'], ['retire'], ['retire', 'K2'], ['retire', 'k1', 'k2'], ['toString']];
  const outcomes = await Promise.all(wrong.map((words) => keysCommand({}, ...words)));
  for (const outcome of outcomes) t.match(outcome, { code: 64, out: '', errors: /Usage:/ });
});
