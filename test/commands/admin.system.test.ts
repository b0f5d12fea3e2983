import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { lockDataFolder } from '../../src/start/data-folder-lock.ts';
import { cloneDatabase, TEST_PASSWORD, TEST_SECRETS } from '../helper.ts';
import { t } from '../tap.ts';
import { runCommand, runCommandInProcess } from './run-command.ts';

const admin = (environment: Record<string, string>, ...words: string[]) =>
  runCommand('admin', environment, ...words);
const adminInProcess = (environment: Record<string, string>, ...words: string[]) =>
  runCommandInProcess('admin', environment, ...words);

async function scratch(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-admin-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

t.test('creates, lists and demotes administrators on a configured database', async (t) => {
  const database = await cloneDatabase(t);
  t.teardown(() => database.drop());
  const environment = {
    DATA_DIR: await scratch(t),
    DATABASE_URL: database.application,
    DATABASE_OWNER_URL: database.owner,
    ...TEST_SECRETS,
  };
  const empty = await adminInProcess(environment, 'list');
  t.same(empty, { code: 0, out: 'There are no administrators.\n', errors: '' });

  const made = await admin(environment, 'create', 'Root@Example.org');
  t.match(made, { code: 0, errors: '' });
  t.match(
    made.out,
    /^root@example\.org is an administrator\.\nChoose a password within 30 minutes: http\S+\/reset-password#token=[\w-]{43}\n$/,
    'no password is printed',
  );

  const created = await adminInProcess(
    { ...environment, ADMIN_PASSWORD: TEST_PASSWORD },
    'create',
    'second@example.org',
  );
  t.same(
    created,
    { code: 0, out: 'second@example.org is an administrator.\n', errors: '' },
    'a configured password is not shown',
  );

  const again = await adminInProcess(environment, 'create', 'root@example.org');
  t.match(again, { code: 1, out: '', errors: /already has an account/ });
  t.match(await adminInProcess(environment, 'list'), {
    code: 0,
    out: /root@example\.org {2}ACTIVE .*\nsecond@example\.org/,
  });
  t.match(await adminInProcess(environment, 'demote', 'second@example.org'), {
    code: 0,
    out: /is no longer an administrator/,
  });
  t.match(await adminInProcess(environment, 'demote', 'root@example.org'), {
    code: 1,
    out: '',
    errors: /last administrator/,
  });
  t.match(await adminInProcess(environment, 'promote', 'second@example.org'), {
    code: 0,
    out: /is an administrator/,
  });
});

t.test('starts the embedded database for a command without configuration', async (t) => {
  const environment = { DATA_DIR: await scratch(t), ADMIN_PASSWORD: TEST_PASSWORD };
  t.match(await admin(environment, 'create', 'root@example.org'), { code: 0, errors: '' });
  t.match(await adminInProcess(environment, 'list'), { code: 0, out: /^root@example\.org/, errors: '' });
  const lock = await lockDataFolder(environment.DATA_DIR);
  await lock.release();
});

t.test('exits with 64 and prints the usage for invalid arguments', async (t) => {
  const wrong = [
    [],
    ['list', 'x@example.org'],
    ['create'],
    ['create', 'root'],
    ['toString', 'x@example.org'],
    ['enterprise', 'x@example.org', 'perhaps'],
  ];
  const outcomes = await Promise.all(wrong.map((words) => admin({}, ...words)));
  for (const outcome of outcomes) t.match(outcome, { code: 64, out: '', errors: /\nUsage:/ });
  t.match(outcomes[0]?.errors, 'Arguments are missing.');
  t.match(outcomes[3]?.errors, 'Not an email address: root');
});

t.test('exits with 78 for an invalid configuration and 75 for an unavailable database', async (t) => {
  const DATA_DIR = await scratch(t);
  t.match(await adminInProcess({ DATA_DIR, PORT: 'x' }, 'list'), { code: 78, errors: /PORT/ });
  const unavailable = { DATA_DIR, DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/qr' };
  const refused = await adminInProcess(unavailable, 'list');
  t.equal(refused.code, 75, refused.errors);
  t.notMatch(refused.errors, /nothing/, 'no password');
  const common = { ...unavailable, ADMIN_PASSWORD: 'short' };
  t.match(await adminInProcess(common, 'create', 'root@example.org'), { code: 78, errors: /ADMIN_PASSWORD/ });
});
