import { rm } from 'node:fs/promises';
import { SECRETS, startApp } from '../helper.ts';
import { t } from '../tap.ts';
import { keyFileIn, keysCommand, settingsOf } from './run-keys.ts';

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

  const file = await keyFileIn(t);
  const other = await startApp(t);
  const first = await keysCommand({ ...settingsOf(other), ENCRYPTION_KEYS_FILE: file }, 'add');
  t.match(first, { code: 0, out: `The first key, k1, is in ${file}.` });
  await rm(file);
  const gone = await keysCommand({ ...settingsOf(other), ENCRYPTION_KEYS_FILE: file }, 'add');
  t.match(gone, { code: 78, errors: /is missing/ }, 'not for a database with content');
});

t.test('What is typed wrong is 64 and shows how it is typed', async (t) => {
  const wrong = [[], ['retire', 'K2'], ['toString']];
  const outcomes = await Promise.all(wrong.map((words) => keysCommand({}, ...words)));
  for (const outcome of outcomes) t.match(outcome, { code: 64, out: '', errors: /Usage:/ });
});
