import { sendDueReports } from '../../../../../src/features/scans/reports/schedule/send-reports.job.ts';
import { generateAbsentId, type TestUser } from '../../../../helper.ts';
import { t } from '../../../../tap.ts';
import { waitUntil } from '../../../audit/helper.ts';
import { captureAuditEntries } from '../../../audit-trail-helper.ts';
import { isProblem, queryDatabase } from '../../../identity/accounts/helper.ts';
import { eraseAccountOf, waitForErasures } from '../../../personal-data/helper.ts';
import { startScans } from '../../helper.ts';
import { insertScatteredScans } from '../../statistics/helper.ts';

const PATH = '/api/scans/report-schedule';
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

const test = await startScans(t);
const { call, services } = test;

const schedule = ({ accessToken: token }: TestUser, body: object = { frequency: 'WEEKLY' }) =>
  call('PUT', PATH, { token, body });

/** A user with scans and a report, and the moment when that is due. */
async function createDueUser(body: object = { frequency: 'WEEKLY' }) {
  const user = await test.createUser();
  const code = await test.code({ title: 'Rex' }, user);
  const answer = await schedule(user, body);
  const due = new Date(answer.body.nextSendAt);
  await insertScatteredScans(test, [code], 40, [new Date(due.getTime() - WEEK_MS), new Date()]);
  return { user, code, due };
}

const countMails = async ({ email }: TestUser) => {
  await waitUntil(async () => {
    const waiting = "SELECT FROM outgoing_mails WHERE template = 'SCAN_REPORT' AND status = 'WAITING'";
    return (await queryDatabase(test, waiting)).length === 0;
  });
  const { listMailboxEntries } = await import('../../../../../src/providers/mail/mailbox-reader.ts');
  const mails = await listMailboxEntries(services.mailboxDir, 500);
  return mails.filter(({ to, subject }) => to.includes(email) && /: scans last week$/.test(subject)).length;
};

const getReportPath = async ({ email }: TestUser) => {
  const mail = await test.getMailBySubject(email, /: scans last week$/);
  return /https:\/\/qr\.example\.org(\/api\/scans\/report\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
};

t.test('a user sets, changes and ends the schedule of their report', async (t) => {
  const user = await test.createUser();
  const { accessToken: token } = user;
  t.ok(isProblem(await call('GET', PATH, { token }), 404, 'NOT_FOUND'));
  const entries = await captureAuditEntries(test, async () => {
    t.match(await schedule(user), {
      status: 200,
      body: { frequency: 'WEEKLY', hour: 8, qrCodeId: null, timeZone: 'UTC' },
    });
    const qrCodeId = await test.code({}, user);
    const changed = await schedule(user, { frequency: 'MONTHLY', hour: 0, qrCodeId });
    t.match(changed.body, { frequency: 'MONTHLY', hour: 0, qrCodeId });
    t.match(changed.body.nextSendAt, /-01T00:00:00\.000Z$/);
    t.same((await call('GET', PATH, { token })).body, changed.body);
    t.same(await call('DELETE', PATH, { token }).then(({ body }) => body), { done: true });
    t.ok(isProblem(await call('DELETE', PATH, { token }), 404, 'NOT_FOUND'));
  });
  const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('REPORT_'));
  t.same(actions, ['REPORT_SCHEDULED', 'REPORT_SCHEDULED', 'REPORT_UNSCHEDULED']);
});

t.test('rejects codes of others, deleted codes and wrong values', async (t) => {
  const user = await test.createUser();
  const deleted = await test.code({}, user);
  await call('DELETE', `/api/qrcodes/${deleted}`, { token: user.accessToken });
  for (const qrCodeId of [await test.code(), deleted, generateAbsentId()])
    t.ok(isProblem(await schedule(user, { frequency: 'WEEKLY', qrCodeId }), 404, 'NOT_FOUND'));
  for (const body of [{}, { frequency: 'DAILY' }, { frequency: 'WEEKLY', hour: 24 }])
    t.ok(isProblem(await schedule(user, body), 400, 'VALIDATION_FAILED'));
  t.ok(isProblem(await call('GET', PATH, { token: user.accessToken }), 404, 'NOT_FOUND'));
});

t.test('workers that run at once send a report once, with its numbers and a link', async (t) => {
  const { user, due } = await createDueUser();
  await sendDueReports(services, new Date(due.getTime() - 1));
  t.equal(await countMails(user), 0, 'not before its time');
  await Promise.all([1, 2, 3].map(() => sendDueReports(services, due)));
  await sendDueReports(services, new Date(due.getTime() + 60_000));
  t.equal(await countMails(user), 1);
  const { body } = await call('GET', PATH, { token: user.accessToken });
  t.equal(Date.parse(body.nextSendAt) - due.getTime(), WEEK_MS);

  const mail = await test.getMailBySubject(user.email, /: scans last week$/);
  t.match(mail?.subject, 'All codes: scans last week');
  t.match(mail?.text, /Scans: \d+ · none in the previous period\n/);
  t.match(mail?.text, /Most scanned codes: Rex \(\d+\)/);
  t.match(mail?.text, 'https://qr.example.org/app/unsubscribe/');
});

t.test('sends the newest report only after a downtime, and none twice', async (t) => {
  const { user, due } = await createDueUser();
  const later = new Date(due.getTime() + 3 * WEEK_MS + 60_000);
  await sendDueReports(services, later);
  t.equal(await countMails(user), 1);
  const mail = await test.getMailBySubject(user.email, /: scans last week$/);
  const day = (distance: number) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
      new Date(due.getTime() + distance),
    );
  t.match(mail?.text, `${day(2 * WEEK_MS)} to ${day(3 * WEEK_MS - 24 * 60 * 60 * 1000)}`);
  // As after a move to a time zone where the same week ends later.
  await queryDatabase(
    test,
    'UPDATE report_schedules SET next_send_at = $2 WHERE account_id = $1',
    user.id,
    later,
  );
  await sendDueReports(services, later);
  t.equal(await countMails(user), 1, 'the week was sent already');
});

t.test('sends nothing for a suspended account or a deleted code', async (t) => {
  const suspended = await createDueUser();
  await queryDatabase(test, "UPDATE users SET status = 'SUSPENDED' WHERE id = $1", suspended.user.id);
  const withoutCode = await test.createUser();
  const qrCodeId = await test.code({}, withoutCode);
  const { body } = await schedule(withoutCode, { frequency: 'WEEKLY', qrCodeId });
  await call('DELETE', `/api/qrcodes/${qrCodeId}`, { token: withoutCode.accessToken });
  const due = new Date(Math.max(Date.parse(body.nextSendAt), suspended.due.getTime()));
  await sendDueReports(services, due);
  t.equal(await countMails(suspended.user), 0);
  t.equal(await countMails(withoutCode), 0);
  const left = 'SELECT account_id FROM report_schedules WHERE next_send_at <= $1';
  t.same(await queryDatabase(test, left, due), [], 'they do not wait for ever');
});

t.test('the link shows the report without a login, for a week, as HTML and PDF', async (t) => {
  const { user, due } = await createDueUser();
  await sendDueReports(services, due);
  t.equal(await countMails(user), 1);
  const path = await getReportPath(user);
  const page = await call('GET', path);
  t.equal(page.status, 200, page.text);
  t.match(page.text, '<h1>All codes</h1>');
  t.match((await call('GET', `${path}?format=pdf`)).text, /^%PDF/);

  const [, token = ''] = path.split('/report/');
  const parts = token.split('.');
  const change = (index: number, value: string) =>
    `/api/scans/report/${parts.map((part, place) => (place === index ? value : part)).join('.')}`;
  const other = await test.createUser();
  for (const [name, changed] of [
    ['another user', change(0, other.id)],
    ['another period', change(1, 'MONTHLY')],
    ['another week', change(2, '2026-01-05')],
    ['another code', change(3, await test.code())],
    ['a later end', change(4, '9999999999')],
    ['no signature', change(5, '')],
    ['nonsense', '/api/scans/report/x'],
  ] as const)
    t.ok(isProblem(await call('GET', changed), 404, 'NOT_FOUND'), name);
  const html = await call('GET', change(5, ''), { headers: { accept: 'text/html' } });
  t.equal(html.status, 404);
  t.match(html.text, 'This link doesn’t work');

  await queryDatabase(test, 'UPDATE users SET access_epoch = access_epoch + 1 WHERE id = $1', user.id);
  t.ok(isProblem(await call('GET', path), 404, 'NOT_FOUND'), 'after all sessions were ended');
});

t.test('the link ends after a week', async (t) => {
  const { user, due } = await createDueUser();
  await sendDueReports(services, new Date(due.getTime() - WEEK_MS));
  await queryDatabase(
    test,
    'UPDATE report_schedules SET next_send_at = $2 WHERE account_id = $1',
    user.id,
    new Date(Date.now() - WEEK_MS - 1_000),
  );
  await sendDueReports(services, new Date(Date.now() - WEEK_MS - 1_000));
  t.equal(await countMails(user), 1);
  t.ok(isProblem(await call('GET', await getReportPath(user)), 404, 'NOT_FOUND'));
});

t.test('in enterprise mode the email has no link that skips the login', async (t) => {
  const { user, due } = await createDueUser();
  await queryDatabase(test, 'UPDATE users SET enterprise_mode = true WHERE id = $1', user.id);
  await sendDueReports(services, due);
  t.equal(await countMails(user), 1);
  t.equal(await getReportPath(user), '');
});

t.test('the unsubscribe link of the email ends the reports', async (t) => {
  const { user, due } = await createDueUser();
  await sendDueReports(services, due);
  t.equal(await countMails(user), 1);
  const mail = await test.getMailBySubject(user.email, /: scans last week$/);
  const token = /https:\/\/qr\.example\.org\/app\/unsubscribe\/(\S+)/.exec(mail?.text ?? '')?.[1];
  t.match((await call('GET', `/app/unsubscribe/${token}`)).text, 'scan reports');
  const answer = await call('POST', `/api/notifications/unsubscribe/${token}`, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  t.equal(answer.status, 200, answer.text);
  t.ok(isProblem(await call('GET', PATH, { token: user.accessToken }), 404, 'NOT_FOUND'));
});

t.test('an erasure deletes the schedule', async (t) => {
  const { user, due } = await createDueUser();
  await eraseAccountOf(test, user);
  await waitForErasures(test);
  t.same(await queryDatabase(test, 'SELECT FROM report_schedules WHERE account_id = $1', user.id), []);
  await sendDueReports(services, due);
  t.equal(await countMails(user), 0);
});
