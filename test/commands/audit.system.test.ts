import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { insertTestEntries, sealAllEntries } from '../features/audit/helper.ts';
import { startTestApp, type TestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { createKeyFilePath, getCommandSettings } from './keys-helper.ts';
import { runCommand, runCommandInProcess } from './run-command.ts';

const exportsOf = ({ database }: TestApp) =>
  database.client.auditEntry.findMany({ where: { action: 'AUDIT_TRAIL_EXPORTED' } });

t.test('records no export that cannot be written, and keeps an existing file', async (t) => {
  const app = await startTestApp(t, { ENCRYPTION_KEYS_FILE: await createKeyFilePath(t) });
  await insertTestEntries(app, 1);
  await sealAllEntries(app);
  const settings = getCommandSettings(app);
  const file = join(app.dataDir, 'trail.jsonl');
  await writeFile(file, 'mine');
  const there = await runCommandInProcess('audit-export', settings, file);
  t.match(there, { code: 1, out: '', errors: /trail\.jsonl already exists\. Choose another name/ });
  t.equal(await readFile(file, 'utf8'), 'mine');
  const nowhere = await runCommandInProcess(
    'audit-export',
    settings,
    join(app.dataDir, 'none', 'trail.jsonl'),
  );
  t.match(nowhere, { code: 1, out: '', errors: /cannot be created \(ENOENT\)/ });
  t.same(await exportsOf(app), []);
  const other = `${file}.2`;
  t.match(await runCommand('audit-export', settings, other), { code: 0, errors: '' });
  t.match(await exportsOf(app), [{ outcome: 'SUCCESS', operation: 'audit:export' }]);
  t.equal((await stat(other)).mode & 0o777, 0o600);

  const key = await runCommand('audit-public-key', settings);
  const keyFile = join(app.dataDir, 'key.pem');
  await writeFile(keyFile, key.out);
  const verify = (...words: string[]) => runCommandInProcess('audit-verify', {}, ...words);
  const offline = ['--export', other, '--public-key', keyFile];
  t.match(await runCommand('audit-verify', {}, ...offline), {
    code: 0,
    out: /valid: \d+ entries in 1 signed batch\.$/m,
  });
  await app.services.sealer.start();
  await app.services.sealer.stop();
  const checkpoints = join(app.dataDir, 'audit-checkpoints.jsonl');
  const behind = await verify(...offline, '--checkpoints', checkpoints);
  t.match(behind, {
    code: 1,
    out: /^1 external checkpoint was compared/,
    errors: /OLDER_DATABASE at \d+\. .* this is an older copy/,
  });

  const none = join(app.dataDir, 'none');
  const wrong = [
    [66, '--export', none, '--public-key', keyFile],
    [66, '--export', app.dataDir, '--public-key', keyFile],
    [66, '--export', other, '--public-key', none],
    [66, ...offline, '--checkpoints', none],
    [65, '--export', keyFile, '--public-key', keyFile],
    [65, '--export', other, '--public-key', other],
    [64, '--export', other],
  ] as const;
  const outcomes = await Promise.all(wrong.map(([, ...words]) => verify(...words)));
  for (const [index, outcome] of outcomes.entries()) {
    const [code, ...words] = wrong[index] ?? [0];
    t.match(outcome, { code, out: '' }, words.join(' '));
    t.notMatch(outcome.errors, /^\s+at |DATA_DIR/m);
  }
});

t.test('exits with 75 and a readable message for an unavailable database', async (t) => {
  const app = await startTestApp(t, { ENCRYPTION_KEYS_FILE: await createKeyFilePath(t) });
  const unavailableUrl = 'postgresql://qr:secret@127.0.0.1:1/none';
  const settings = {
    ...getCommandSettings(app),
    DATABASE_URL: unavailableUrl,
    DATABASE_OWNER_URL: unavailableUrl,
  };
  const outcome = await runCommand('audit-verify', settings);
  t.match(outcome, { code: 75, out: '', errors: /^audit verify: The database is unavailable/ });
  t.notMatch(outcome.errors, /secret|prisma|^\s+at /im);
});
