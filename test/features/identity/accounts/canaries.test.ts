import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestGate } from '../../../gate.ts';
import { startTestApp, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { listMailsCausedBy, queryDatabase, registerAndGetOtp, requestResetToken } from './helper.ts';

const PHONE = '+44 20 7946 0147';
const PASSWORDS = [
  'canary first password',
  'canary second password',
  'canary third password',
  'canary wrong password',
];

/** Read all text, JSON and binary values of all tables, jobs included, with their columns. */
async function readStoredValues(app: TestApp): Promise<{ place: string; value: string }[]> {
  const columns = await queryDatabase(
    app,
    `SELECT c.table_schema AS schema, c.table_name AS table, c.column_name AS column FROM information_schema.columns c
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE c.table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'
       AND c.data_type NOT IN ('integer', 'bigint', 'boolean', 'smallint', 'date', 'timestamp with time zone', 'timestamp without time zone', 'interval')`,
  );
  const found: { place: string; value: string }[] = [];
  for (const { schema, table, column } of columns) {
    const rows = await queryDatabase(
      app,
      `SELECT CASE pg_typeof("${column}")::text WHEN 'bytea' THEN encode("${column}"::text::bytea, 'escape') ELSE "${column}"::text END AS value FROM "${schema}"."${table}" WHERE "${column}" IS NOT NULL`,
    );
    for (const { value } of rows)
      found.push({ place: `${schema}.${table}.${column}`, value: decodeBinary(value) });
  }
  return found;
}

function decodeBinary(value: string): string {
  const hex = /^\\{1,2}x([0-9a-f]*)$/.exec(value)?.[1];
  return hex === undefined ? value : `${Buffer.from(hex, 'hex').toString('latin1')} ${hex}`;
}

/** Keep mails in the outbox until the returned function is called. */
function captureMails({ services }: TestApp): () => void {
  const { mailProvider } = services;
  const send = mailProvider.send.bind(mailProvider);
  const gate = createTestGate();
  mailProvider.send = async (message) => {
    await gate.whenOpened;
    await send(message);
  };
  return gate.open;
}

/** In clear, base64 or hexadecimal; a code only as a whole number. */
function containsSecret(text: string, secret: string): boolean {
  if (/^\d{6}$/.test(secret)) return new RegExp(`(?<![0-9a-fA-F])${secret}(?![0-9a-fA-F])`).test(text);
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')].some((form) =>
    text.includes(form),
  );
}

t.test(
  'planted secrets of a whole account lifecycle appear in no table, no log line and no error',
  async (t) => {
    const app = await startTestApp(t);
    const email = 'canary@example.org';
    const [first = '', second = '', third = '', wrong = ''] = PASSWORDS;
    const secrets: string[] = [...PASSWORDS, PHONE];
    const errors: string[] = [];
    const refused = async (url: string, body: object, token?: string) => {
      const answer = await app.call('POST', `/api/auth/${url}`, { body, token });
      t.ok(answer.status >= 400, `${url} is refused`);
      errors.push(answer.text);
    };
    const keep = (...values: unknown[]) => {
      for (const value of values) if (typeof value === 'string') secrets.push(value);
    };

    // The mail is not sent yet and waits in the outbox, encrypted.
    const release = captureMails(app);
    const profile = { firstName: 'Ada', lastName: 'Lovelace', phone: PHONE };
    const key = { 'idempotency-key': 'canary-idempotency-key' };
    await app.call('POST', '/api/auth/register', {
      body: { email, password: first, ...profile },
      headers: key,
    });
    const [waiting] = await queryDatabase(app, 'SELECT id, content FROM outgoing_mails');
    const place = { table: 'outgoing_mails', column: 'content', rowId: waiting.id, ownerId: '' };
    const otp =
      /^\d{6}/.exec(
        app.services.fieldCipher.decrypt<{ subject: string }>(place, waiting.content).subject,
      )?.[0] ?? '';
    t.match(otp, /^\d{6}$/);
    keep(otp);
    for (const { place: where, value } of await readStoredValues(app)) {
      for (const secret of secrets)
        if (containsSecret(value, secret)) t.fail(`${where} holds ${secret} while the mail waits`);
    }
    release();

    await refused('verify-otp', { email, otp: otp === '000000' ? '000001' : '000000' });
    const verified = (await app.call('POST', '/api/auth/verify-otp', { body: { email, otp } })).body;
    keep(verified.accessToken, verified.refreshToken, verified.deviceToken);
    await app.call('POST', '/api/auth/create-profile', {
      token: verified.accessToken,
      body: profile,
      headers: key,
    });
    await refused('create-profile', profile, verified.accessToken);
    await refused('login', { email, password: wrong, deviceToken: verified.deviceToken });
    await refused('login', { email, password: [wrong] });
    const login = (await app.call('POST', '/api/auth/login', { body: { email, password: first } })).body;
    keep(login.accessToken, login.refreshToken, login.deviceToken);
    const refreshed = (
      await app.call('POST', '/api/auth/refresh-token', { body: { refreshToken: login.refreshToken } })
    ).body;
    keep(refreshed.accessToken, refreshed.refreshToken);
    await refused('refresh-token', { refreshToken: login.accessToken });
    await refused('change-password', { currentPassword: wrong, newPassword: second }, verified.accessToken);
    await app.call('POST', '/api/auth/change-password', {
      token: verified.accessToken,
      body: { currentPassword: first, newPassword: second },
    });
    const token = await requestResetToken(app, email);
    keep(token);
    await refused('reset-password', { token: token.replace(/./g, 'A'), password: third });
    await refused('reset-password', { token, password: 'short' });
    await app.call('POST', '/api/auth/reset-password', { body: { token, password: third } });
    keep(await registerAndGetOtp(app, 'canary-two@example.org', second));
    await app.call('GET', `/api/auth/me?token=${verified.accessToken}`, { token: verified.accessToken });
    t.equal(secrets.length, 16, 'every secret is known to the test');

    const rows = await readStoredValues(app);
    t.ok(rows.length > 100, `${rows.length} values checked`);
    t.ok(
      rows.some(({ value }) => value.includes(email)),
      'plaintext values are found',
    );
    for (const { place: where, value } of rows) {
      for (const secret of secrets) if (containsSecret(value, secret)) t.fail(`${where} holds ${secret}`);
    }
    t.ok(app.log.length > 15);
    for (const line of [...app.log, ...errors]) {
      t.ok(JSON.parse(line), 'one line is one record');
      for (const secret of [...secrets, email])
        if (containsSecret(line, secret)) t.fail(`a line holds ${secret}: ${line}`);
    }
  },
);

t.test(
  'an internal error reveals neither the input nor its message, in the response and in the log',
  async (t) => {
    const app = await startTestApp(t);
    const { email } = await app.createUser();
    await queryDatabase(app, 'DELETE FROM rate_counters');
    const broken = app.services.passwords;
    const { runQueued } = broken;
    const verify = async (password: string) => {
      throw new Error(`canary fault about ${password}`);
    };
    broken.runQueued = (work) => runQueued((slot) => work({ ...slot, verify }));
    const answer = await app.call('POST', '/api/auth/login', {
      body: { email, password: 'canary password' },
    });
    broken.runQueued = runQueued;
    t.equal(answer.status, 500);
    t.same(Object.keys(answer.body).sort(), ['code', 'detail', 'requestId', 'status', 'title', 'type']);
    t.notMatch(answer.text + app.log.join(''), /canary (fault|password)/);
    t.match(app.log.join(''), answer.body.requestId);
  },
);

t.test('control characters in a header add no line to the log', async (t) => {
  const app = await startTestApp(t);
  await app.call('GET', '/api/auth/me?x=%0A%7B%22level%22%3A60%7D', {
    headers: { 'user-agent': 'a\tb"}{"level":60' },
  });
  await app.call('GET', '/nowhere%0A%7B%22level%22%3A60%7D');
  for (const line of app.log) t.not(JSON.parse(line).level, 60);
});

t.test('a reset token appears only in the mail to its owner, and in no other file', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  const mails = await listMailsCausedBy(app, email, () =>
    app.call('POST', '/api/auth/forgot-password', { body: { email } }),
  );
  t.equal(mails.length, 1);
  const files = await readdir(app.dataDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const folder = file.parentPath;
    if (folder.endsWith('mailbox')) continue;
    t.notMatch((await readFile(join(folder, file.name))).toString('latin1'), /#token=/, file.name);
  }
});
