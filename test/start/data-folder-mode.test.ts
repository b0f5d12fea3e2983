import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolderPrivate } from '../../src/start/data-folder-mode.ts';
import { t } from '../tap.ts';

const ROOT = 0;
const USER = 1000;
const EXTERNAL = 'postgresql://qr@db.example.org/qr';

const parent = await mkdtemp(join(tmpdir(), 'qr-mode-'));
t.teardown(() => rm(parent, { recursive: true, force: true }));

const CASES = [
  { name: 'a user with the embedded server', uid: USER, databaseUrl: undefined, mode: 0o700 },
  { name: 'a user with another server', uid: USER, databaseUrl: EXTERNAL, mode: 0o700 },
  { name: 'root with another server', uid: ROOT, databaseUrl: EXTERNAL, mode: 0o700 },
  {
    name: 'root with the embedded server, which runs as another user',
    uid: ROOT,
    databaseUrl: undefined,
    mode: 0o711,
  },
];

t.test('closes DATA_DIR to others, also if it exists with looser rights', async (t) => {
  const log = { warn: () => t.fail('a warning') };
  for (const [index, { name, uid, databaseUrl, mode }] of CASES.entries())
    for (const existing of [null, 0o777, 0o755, 0o711, 0o700]) {
      const dataDir = join(parent, `${index}-${existing}`, 'data');
      if (existing !== null) {
        await mkdir(dataDir, { recursive: true });
        await chmod(dataDir, existing);
      }
      await makeDataFolderPrivate({ dataDir, databaseUrl }, log, uid);
      t.equal((await stat(dataDir)).mode & 0o777, mode, `${name}, before: ${existing?.toString(8)}`);
    }
});

t.test('warns if the mode cannot be changed', { skip: process.platform !== 'linux' }, async (t) => {
  const warnings: string[] = [];
  const log = { warn: (_details: object, message: string) => warnings.push(message) };
  // Nobody can change modes there.
  await makeDataFolderPrivate({ dataDir: '/proc/self/task', databaseUrl: undefined }, log);
  t.same(warnings, ['DATA_DIR: other users may be able to read it, since its mode cannot be changed']);
});
