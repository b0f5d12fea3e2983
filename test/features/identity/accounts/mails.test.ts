import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import { deleteFinishedMails } from '../../../../src/features/mail/outbox.repository.ts';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { createSmtpError, startSmtpSink } from '../../../providers/mail/smtp-sink.ts';
import { t } from '../../../tap.ts';
import { queryDatabase } from './helper.ts';

const REFUSED = 'refused@example.org';
const LATER = 'later@example.org';

/** The mail server rejects one address permanently and another temporarily. */
async function startAppWithMailSink(t: Test) {
  let mayPass = false;
  const sink = await startSmtpSink({
    onRcptTo({ address }, _session, callback) {
      if (address === REFUSED) return callback(createSmtpError(550, 'no such mailbox'));
      if (address === LATER && !mayPass) return callback(createSmtpError(451, 'try again later'));
      callback();
    },
  });
  const app = await startTestApp(t, { SMTP_URL: sink.url });
  t.teardown(() => sink.close());
  const register = (email: string) =>
    app.call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } });
  return { app, sink, register, acceptMails: () => (mayPass = true) };
}

async function waitForMailRow(app: TestApp, done: (row: { status: string; attempts: number }) => boolean) {
  for (let tries = 0; tries < 400; tries++) {
    app.services.mailOutbox.wake();
    const [row] = await queryDatabase(
      app,
      'SELECT status, content, attempts, reason FROM outgoing_mails ORDER BY created_at DESC LIMIT 1',
    );
    if (row && done(row)) return row;
    await wait(25);
  }
  throw new Error('the outbox did not get there');
}

t.test('a mail reaches only its recipient, and its content is removed from the outbox', async (t) => {
  const { app, sink, register } = await startAppWithMailSink(t);
  await register('ada@example.org');
  const row = await waitForMailRow(app, ({ status }) => status !== 'WAITING');
  t.match(row, { status: 'SENT', content: null, attempts: 1, reason: null });
  t.match(sink.mails, [
    { recipients: ['ada@example.org'], source: /^Subject: \d{6} is your confirmation code/m },
  ]);
  t.equal(sink.mails.length, 1);
  t.notMatch(sink.mails[0]?.source ?? '', /^Bcc:/im);
});

t.test('a permanently rejected mail is not retried, and its content is deleted', async (t) => {
  const { app, sink, register } = await startAppWithMailSink(t);
  t.equal((await register(REFUSED)).status, 201, 'the response does not reveal the rejection');
  const row = await waitForMailRow(app, ({ status }) => status !== 'WAITING');
  t.match(row, { status: 'FAILED', content: null, attempts: 1 });
  t.notMatch(String(row.reason), /refused@|no such mailbox/, 'the reason has no text of the mail server');
  const jobs = await queryDatabase(app, "SELECT state FROM pgboss.job WHERE name = 'mail'");
  t.ok(
    jobs.every(({ state }) => state === 'completed' || state === 'active'),
    'there is no further attempt',
  );
  t.same(sink.mails, []);
});

t.test('a temporarily rejected mail is retried, and is encrypted until then', async (t) => {
  const { app, sink, register, acceptMails } = await startAppWithMailSink(t);
  await register(LATER);
  const row = await waitForMailRow(app, ({ attempts }) => attempts === 1);
  t.equal(row.status, 'WAITING');
  t.notMatch(row.content.toString('latin1'), /confirmation|later@/);
  acceptMails();
  for (let tries = 0; tries < 200 && sink.mails.length === 0; tries++) {
    await queryDatabase(
      app,
      "UPDATE pgboss.job SET start_after = now() WHERE name = 'mail' AND state = 'retry'",
    );
    app.services.mailOutbox.wake();
    await wait(25);
  }
  t.match(await waitForMailRow(app, ({ status }) => status !== 'WAITING'), {
    status: 'SENT',
    content: null,
    attempts: 2,
  });
  t.equal(sink.mails.length, 1);
});

t.test('a mail that is never accepted is given up after its last attempt', async (t) => {
  const { app, register } = await startAppWithMailSink(t);
  await register(LATER);
  await waitForMailRow(app, ({ attempts }) => attempts === 1);
  await queryDatabase(app, 'UPDATE outgoing_mails SET attempts = 8');
  for (let tries = 0; tries < 200; tries++) {
    await queryDatabase(
      app,
      "UPDATE pgboss.job SET start_after = now() WHERE name = 'mail' AND state = 'retry'",
    );
    app.services.mailOutbox.wake();
    if ((await queryDatabase(app, "SELECT 1 FROM outgoing_mails WHERE status = 'FAILED'")).length > 0) break;
    await wait(25);
  }
  t.match(await waitForMailRow(app, () => true), { status: 'FAILED', content: null, attempts: 9 });
});

t.test('a mail is sent only if its transaction commits', async (t) => {
  const { app, sink } = await startAppWithMailSink(t);
  const { database, mailOutbox } = app.services;
  const mail = { template: 'PASSWORD_CHANGED', to: 'ada@example.org', values: {} } as const;
  await t.rejects(
    database.transaction(async (tx) => {
      await mailOutbox.enqueue(tx, mail);
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  t.equal(await database.client.outgoingMail.count(), 0);
  t.same(await queryDatabase(app, "SELECT 1 FROM pgboss.job WHERE name = 'mail'"), []);
  await database.transaction((tx) => mailOutbox.enqueue(tx, mail));
  await waitForMailRow(app, ({ status }) => status === 'SENT');
  t.equal(sink.mails.length, 1);
  t.equal(
    await deleteFinishedMails(database.client, new Date(Date.now() + 1_000)),
    1,
    'a sent mail is deleted later',
  );
});
