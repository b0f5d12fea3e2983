import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChecks } from '../../../src/commands/doctor/check.ts';
import { createChecks, diagnose as diagnoseAll } from '../../../src/commands/doctor/run-doctor.ts';
import { loadConfig } from '../../../src/config.ts';
import { TEST_SECRETS } from '../../helper.ts';
import { createScratchFolder } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';

const { ENCRYPTION_KEYS, ...SECRETS } = TEST_SECRETS;
const random = 'u7ToDoR2pXk0vQ9sLwZt4mGf/Y8hJc1nKb3DqXe5+Vg=';
const PRODUCTION = {
  ...SECRETS,
  JWT_SECRET: random,
  HASH_SECRET: [...random].toReversed().join('').replace('=', '').concat('='),
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://app@127.0.0.1:1/qr',
  PUBLIC_BASE_URL: 'https://127.0.0.1:1',
  SMTP_URL: 'none',
  BILLING: 'off',
};

async function diagnose(environment: Record<string, string>, misspelled: string[] = []) {
  const { checks } = createChecks(loadConfig(environment), misspelled);
  const [result] = await runChecks(checks.filter(({ name }) => name === 'configuration'));
  return result;
}

t.test('a valid configuration is right, with the warnings of the start', async (t) => {
  t.match(await diagnose({}), { state: 'ok', found: 'valid, development' });
  const settings = { ...PRODUCTION, ENCRYPTION_KEYS };
  const result = await diagnose(settings, ['REDISURL is not a setting and is ignored']);
  t.match(result, { state: 'warning' });
  for (const name of ['REDISURL', 'TRUST_PROXY', 'CLAMD_URL', 'SMTP_URL', 'BILLING'])
    t.match(result?.advice, new RegExp(`^${name} is `, 'm'));
});

t.test('a file of encryption keys that is missing or invalid is a problem', async (t) => {
  const ENCRYPTION_KEYS_FILE = join(await createScratchFolder(t), 'keys.json');
  const settings = { ...PRODUCTION, ENCRYPTION_KEYS_FILE };
  t.match(await diagnose(settings), { state: 'problem', advice: `${ENCRYPTION_KEYS_FILE} is missing` });
  await writeFile(ENCRYPTION_KEYS_FILE, '{}');
  t.match(await diagnose(settings), { state: 'problem', advice: `${ENCRYPTION_KEYS_FILE} is invalid` });
});

t.test('an invalid configuration is the only result', async (t) => {
  const results = await diagnoseAll({ JWT_SECRET_FILE: '/missing', PORT: 'many' });
  t.match(results, [{ name: 'configuration', state: 'problem' }]);
  t.equal(results.length, 1);
  t.match(results[0]?.advice, /^JWT_SECRET_FILE: \/missing does not exist\.\nPORT: is invalid/);
});
