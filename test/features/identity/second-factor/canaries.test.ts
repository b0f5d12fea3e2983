import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { listMailsTo, queryDatabase } from '../accounts/helper.ts';
import {
  enableSecondFactor,
  generateUnusedTotpCode,
  generateWrongTotpCode,
  getMfaToken,
  verifySecondFactorCode,
} from './helper.ts';

async function readStoredValues(app: TestApp): Promise<string[]> {
  const tables = await queryDatabase(
    app,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    // As text, binary values are hexadecimal.
    for (const { row } of await queryDatabase(app, `SELECT t::text AS row FROM ${name} AS t`)) {
      const bytes = row.replace(/\\x([0-9a-f]+)/g, (_all: string, hex: string) =>
        Buffer.from(hex, 'hex').toString('latin1'),
      );
      found.push(row, bytes);
    }
  }
  return found;
}

t.test('secrets and codes of a second factor are in no table, no log, no mail and no error', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { email, accessToken: token } = user;
  const { secret, recoveryCodes } = await enableSecondFactor(app, user);
  const errors: string[] = [];
  const mfaToken = await getMfaToken(app, email);
  const waiting = await getMfaToken(app, email);
  const wrong = { mfaToken, code: generateWrongTotpCode(secret) };
  errors.push((await verifySecondFactorCode(app, wrong)).text);
  errors.push(
    (await verifySecondFactorCode(app, { mfaToken, recoveryCode: 'canary-wrong-code-0000-0000' })).text,
  );
  errors.push((await verifySecondFactorCode(app, { mfaToken: 'canary-token', code: '123456' })).text);
  errors.push((await verifySecondFactorCode(app, { mfaToken, code: 'canary-code' })).text);
  errors.push(
    (await app.call('POST', '/api/auth/mfa/enroll', { token, body: { password: 'canary password' } })).text,
  );
  await verifySecondFactorCode(app, { mfaToken, code: await generateUnusedTotpCode(app, secret) });
  await verifySecondFactorCode(app, { mfaToken: waiting, recoveryCode: recoveryCodes[0] });
  await app.call('DELETE', '/api/auth/mfa', {
    token,
    body: { password: TEST_PASSWORD, recoveryCode: recoveryCodes[1] },
  });
  const second = await enableSecondFactor(app, user);

  const secrets = [secret, second.secret, mfaToken, waiting, TEST_PASSWORD, 'canary'];
  secrets.push(
    ...[...recoveryCodes, ...second.recoveryCodes].flatMap((code) => [code, code.replaceAll('-', '')]),
  );
  const mails = (await listMailsTo(app, email)).map(({ text, subject }) => `${subject} ${text}`);
  t.ok(mails.length >= 4, `${mails.length} mails`);
  const rows = await readStoredValues(app);
  t.ok(rows.length > 60, `${rows.length} rows`);
  t.ok(app.log.length > 10);
  t.ok(
    rows.some((row) => row.includes(email)),
    'plaintext values are found',
  );
  for (const text of [...rows, ...mails, ...app.log, ...errors]) {
    const leak = secrets.find((value) => text.includes(value));
    if (leak) t.fail(`${leak} in ${text.slice(0, 200)}`);
  }
});
