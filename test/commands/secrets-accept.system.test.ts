import { randomBytes } from 'node:crypto';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { getCommandSettings } from './keys-helper.ts';
import { runCommand, runCommandInProcess } from './run-command.ts';

t.test('a start with another secret is refused until it is accepted', async (t) => {
  const app = await startTestApp(t);
  t.match(await runCommandInProcess('audit-public-key', getCommandSettings(app)), { code: 0 });
  const settings = { ...getCommandSettings(app), JWT_SECRET: randomBytes(32).toString('base64') };
  const refused = await runCommandInProcess('audit-public-key', settings);
  t.match(refused, { code: 78, out: '', errors: /JWT_SECRET: differs/ });
  const accepted = await runCommand('secrets-accept', settings, 'JWT_SECRET');
  t.match(accepted, { code: 0, out: /JWT_SECRET is accepted/ });
  t.match(await runCommandInProcess('audit-public-key', settings), { code: 0 });
  t.match(await runCommandInProcess('audit-public-key', getCommandSettings(app)), { code: 78 });
});

t.test('exits with 64 for other names', async (t) => {
  for (const words of [[], ['PASSWORD_PEPPERS'], ['JWT_SECRET', 'HASH_SECRET']])
    t.match(await runCommand('secrets-accept', {}, ...words), { code: 64, errors: /Usage:/ });
});
