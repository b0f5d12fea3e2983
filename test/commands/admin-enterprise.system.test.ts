import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { generateId } from '../../src/shared/ids.ts';
import { cloneDatabase, startTestApp, TEST_SECRETS } from '../helper.ts';
import { t } from '../tap.ts';
import { createKeyFilePath, getCommandSettings } from './keys-helper.ts';
import { runCommand, runCommandInProcess } from './run-command.ts';

t.test(
  'puts a user into enterprise mode by command and reports that it cannot be switched off',
  async (t) => {
    const database = await cloneDatabase(t);
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'qr-admin-'));
    const client = new pg.Client({ connectionString: database.owner });
    await client.connect();
    t.teardown(async () => {
      await client.end();
      await database.drop();
      await rm(DATA_DIR, { recursive: true, force: true });
    });
    const email = 'ada@example.org';
    await client.query("INSERT INTO users (id, email, status) VALUES ($1, $2, 'VERIFIED')", [
      generateId(),
      email,
    ]);
    const addresses = { DATABASE_URL: database.application, DATABASE_OWNER_URL: database.owner };
    const settings = { DATA_DIR, ...addresses, ...TEST_SECRETS };
    t.same(await runCommand('admin', settings, 'enterprise', email, 'on'), {
      code: 0,
      out: `${email} is in enterprise mode.\n`,
      errors: '',
    });
    const { rows } = await client.query('SELECT enterprise_mode, template FROM users, outgoing_mails');
    t.same(rows, [{ enterprise_mode: true, template: 'ENTERPRISE_MODE_ON' }]);
    const enforced = { ...settings, ENTERPRISE_MODE: 'hipaa' };
    const refused = await runCommandInProcess('admin', enforced, 'enterprise', email, 'off');
    t.match(refused, { code: 1, out: '', errors: /enforced for all users/ });
  },
);

t.test('does not switch enterprise mode off while a running instance enforces it globally', async (t) => {
  const app = await startTestApp(t, {
    ENTERPRISE_MODE: 'hipaa',
    ENCRYPTION_KEYS_FILE: await createKeyFilePath(t),
  });
  const { email } = await app.createUser({ profile: false });
  const enterprise = (state: string) =>
    runCommandInProcess('admin', getCommandSettings(app), 'enterprise', email, state);
  t.match(await enterprise('on'), { code: 0 });
  t.match(await enterprise('off'), {
    code: 1,
    out: '',
    errors: /enforced for all users by ENTERPRISE_MODE=hipaa, here or in a running instance/,
  });
  const { enterpriseMode } = await app.database.client.user.findUniqueOrThrow({ where: { email } });
  t.equal(enterpriseMode, true);
  await app.services.instanceHeartbeat.stop();
  t.match(await enterprise('off'), { code: 0, out: /not in enterprise mode/ });
});
