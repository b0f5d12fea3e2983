import { sendDueReports } from '../../../src/features/scans/reports/schedule/send-reports.job.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { startInbox } from './inbox-helper.ts';

t.test('the mail of a scheduled report leads to reports of an account', async (t) => {
  const test = await startInbox(t);
  await test.scan({ qrCodeId: await test.code({ title: 'Rex <b>' }) });
  const browser = await test.signIn();
  await browser.open('/app/reports');
  t.equal(browser.path, `${test.path}/reports`);
  t.equal(browser.title, 'Reports');
  for (const days of [7, 30, 90]) {
    t.match(browser.main, `The last ${days} days`);
    const report = await browser.open(`${test.path}/reports/scans?days=${days}`);
    t.match(report, { status: 200, headers: { 'cache-control': 'no-store', 'content-type': /^text\/html/ } });
    t.match(report.text, 'Rex &#60;b&#62;');
    await browser.open(`${test.path}/reports`);
  }
  const pdf = await browser.open(`${test.path}/reports/scans?days=constructor&format=pdf`);
  t.match(pdf, { status: 200, headers: { 'content-type': 'application/pdf' } });

  const csv = await browser.open(`${test.path}/reports/scans.csv?days=7`);
  t.match(csv, { status: 200, headers: { 'content-type': /^text\/csv/, 'cache-control': 'no-store' } });
  t.match(csv.headers, { 'content-disposition': 'attachment; filename="scans.csv"' });
  t.equal(csv.text.split('\r\n').length, 3, 'the names of the columns and one scan');
  const nothing = await browser.open(`${test.path}/reports/scans.csv?from=2024-01-01&until=2024-01-31`);
  t.equal(nothing.text.split('\r\n').length, 2);
  const { client } = test.database;
  t.equal(await client.auditEntry.count({ where: { action: 'SCANS_EXPORTED', outcome: 'SUCCESS' } }), 2);

  const stranger = await test.signIn(await test.createUser());
  for (const path of ['reports', 'reports/scans?days=7', 'reports/scans.csv?days=7'])
    t.equal((await stranger.open(`${test.path}/${path}`)).status, 404);
});

t.test('a report is scheduled, changed and ended, and covers any days', async (t) => {
  const test = await startInbox(t);
  const browser = await test.signIn();
  const readSchedule = () => test.database.client.reportSchedule.findFirst({});
  await browser.open(`${test.path}/reports`);
  await browser.fill('/schedule', { frequency: 'MONTHLY', hour: '7' });
  t.match(browser.main, 'Saved.');
  t.match(browser.main, 'The next one comes on');
  t.match(await readSchedule(), { frequency: 'MONTHLY', hour: 7, qrCodeId: null });
  await browser.fill('/schedule', { hour: '24' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="hour-error"');
  await browser.fill('/schedule', { frequency: 'HOURLY' });
  t.equal(browser.page.status, 400);
  await browser.send('/schedule/end');
  t.equal(await readSchedule(), null);

  const report = await browser.open(`${test.path}/reports/scans?from=2024-01-01&until=2024-01-31`);
  t.match(report, { status: 200, headers: { 'content-type': /^text\/html/ } });
  for (const period of ['from=2024-02-01&until=2024-01-01', 'from=x&until=2024-01-01']) {
    for (const report of ['scans', 'scans.csv']) {
      await browser.open(`${test.path}/reports/${report}?${period}`);
      t.equal(browser.page.status, 400, period);
      t.match(browser.main, /id="(?:from|until)-error"/);
    }
  }
});

t.test('the mail of a report on an organization leads to its reports', async (t) => {
  const test = await startInbox(t);
  const { id: userId, email } = test.owner;
  const accountId = await insertOrganization(test, { members: [{ userId, role: 'VIEWER' }] });
  await test.database.pool.query('UPDATE accounts SET enterprise_mode = true WHERE id = $1', [accountId]);
  const nextSendAt = new Date('2026-01-05T08:00:00Z');
  await test.database.client.reportSchedule.create({
    data: { accountId, userId, frequency: 'WEEKLY', hour: 8, nextSendAt },
  });
  await sendDueReports(test.services, new Date('2026-01-05T09:00:00Z'));
  const mail = await test.getMailBySubject(email, /scans last week/);
  const [, link = ''] = /https:\/\/qr\.example\.org(\/app\/reports\S*)/.exec(mail?.text ?? '') ?? [];
  t.equal(link, `/app/reports?account=${accountId}`);
  await test.database.pool.query('UPDATE accounts SET enterprise_mode = false WHERE id = $1', [accountId]);
  const browser = await test.signIn();
  await browser.open(link);
  t.equal(browser.path, `/app/${accountId}/reports`);
  t.equal(browser.page.status, 200);
  await browser.open('/app/reports?account=//evil.example');
  t.equal(browser.path, `${test.path}/reports`);
});
