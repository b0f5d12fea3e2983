import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

async function insertFailedJob({ database }: TestApp, name: string, output: object): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO pgboss.job (name, data, state, retry_limit, retry_count, started_on, completed_on, output)
     VALUES ($1, '{"exportId":"canary"}', 'failed', 3, 3, now(), now(), $2) RETURNING id`,
    [name, output],
  );
  return rows[0]?.id ?? '';
}

t.test('failed jobs are shown with their reason, tried again or dismissed', async (t) => {
  const test = await startTestApp(t);
  const browser = await signInBrowser(test, await test.createUser({ role: 'ADMIN' }));
  await test.services.jobs.stop();
  await browser.open('/app/staff/jobs');
  t.match(browser.main, 'No job has failed.');
  const one = await insertFailedJob(test, 'export-data', { name: '<b>ECONNREFUSED' });
  const two = await insertFailedJob(test, 'mail', {
    value: { message: 'job failed by timeout in active state' },
  });
  const read = await captureAuditEntries(test, () => browser.open('/app/staff/jobs'));
  t.match(read, [{ action: 'ADMIN_JOBS_READ' }]);
  t.match(browser.main, 'The worker stopped in the middle of it.');
  t.match(browser.main, 'Its work won’t be done', 'what will happen is said before');
  t.match(browser.main, '4 attempts');
  t.notMatch(browser.page.text, '<b>ECONN');
  t.notMatch(browser.page.text, 'canary', 'not what they work on');

  const retried = await captureAuditEntries(test, () => browser.send(`/${one}/retry`));
  t.match(retried, [{ action: 'JOB_RETRIED', resourceId: one }, { action: 'ADMIN_JOBS_READ' }]);
  t.match(browser.main, 'The job runs again.');
  t.equal(browser.findForm(`/${one}/retry`), null);
  const form = browser.findForm(`/${two}/dismiss`);
  await browser.send(`/${two}/dismiss`);
  t.match(browser.main, 'The job is dismissed.');
  t.match(browser.main, 'No job has failed.');
  const send = (path: string) =>
    browser.open(path, { method: 'POST', body: String(new URLSearchParams(form?.hidden)) });
  await send(`/app/staff/jobs/${one}/dismiss`);
  t.match(browser.main, 'The job is no longer among the failed ones.');
  t.equal((await send(`/app/staff/jobs/${randomUUID()}/retry`)).status, 404);
});

t.test('only administrators have the page of jobs', async (t) => {
  const test = await startTestApp(t);
  for (const role of ['USER', 'SUPPORT', 'AUDITOR'] as const) {
    const browser = await signInBrowser(test, await test.createUser({ role }));
    t.equal((await browser.open('/app/staff/jobs')).status, 404, role);
  }
});
