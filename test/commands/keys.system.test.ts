import { rm } from 'node:fs/promises';
import { startTestApp, TEST_SECRETS } from '../helper.ts';
import { t } from '../tap.ts';
import {
  createKeyFilePath,
  getCommandSettings,
  runKeysCommand,
  runKeysCommandInProcess,
} from './keys-helper.ts';

t.test('prints keys of a variable without changing them, and creates the first key of a file', async (t) => {
  const app = await startTestApp(t);
  const { ENCRYPTION_KEYS_FILE: _none, ...environment } = getCommandSettings(app);
  const added = await runKeysCommandInProcess(
    { ...environment, ENCRYPTION_KEYS: TEST_SECRETS.ENCRYPTION_KEYS },
    'add',
  );
  t.match(added, { code: 0, errors: /nothing was changed/ });
  const [behind = '', before = ''] = added.out.trim().split('\n');
  t.ok(behind.startsWith(`ENCRYPTION_KEYS=${TEST_SECRETS.ENCRYPTION_KEYS},k2:`));
  t.ok(before.startsWith('ENCRYPTION_KEYS=k2:') && before.endsWith(`,${TEST_SECRETS.ENCRYPTION_KEYS}`));
  t.same((await app.database.client.encryptionKey.findMany()).map(({ id }) => id).sort(), [
    'k1',
    'pepper.p1',
  ]);

  const file = await createKeyFilePath(t);
  const other = await startTestApp(t);
  const first = await runKeysCommandInProcess(
    { ...getCommandSettings(other), ENCRYPTION_KEYS_FILE: file },
    'add',
  );
  t.match(first, { code: 0, out: `The first key, k1, is in ${file}.` });
  await rm(file);
  const gone = await runKeysCommandInProcess(
    { ...getCommandSettings(other), ENCRYPTION_KEYS_FILE: file },
    'add',
  );
  t.match(gone, { code: 78, errors: /is missing/ }, 'not for a database with content');
});

t.test('exits with 64 and prints the usage for invalid arguments', async (t) => {
  const wrong = [[], ['retire', 'K2'], ['toString']];
  const outcomes = await Promise.all(wrong.map((words) => runKeysCommand({}, ...words)));
  for (const outcome of outcomes) t.match(outcome, { code: 64, out: '', errors: /Usage:/ });
});
