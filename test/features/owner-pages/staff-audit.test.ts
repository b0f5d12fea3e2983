import type { UserRole } from '../../../src/permissions.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { runAsSchemaOwner, sealAllEntries } from '../audit/helper.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

async function startStaff(t: Parameters<typeof startTestApp>[0], role: UserRole) {
  const test = await startTestApp(t);
  const user = await test.createUser({ email: 'staff@example.org', role });
  return { ...test, user, browser: await signInBrowser(test, user) };
}

t.test('an auditor filters the trail, which has an entry of each reading', async (t) => {
  const { browser, user, call, ...test } = await startStaff(t, 'AUDITOR');
  const hostile = '<img src=x onerror=alert(1)>';
  await call('POST', '/api/auth/login', {
    body: { email: 'staff@example.org', password: 'wrong' },
    headers: { 'user-agent': hostile },
  });
  await browser.open('/app/staff');
  t.equal(browser.path, '/app/staff/audit', 'the first that the role may see');
  t.notMatch(browser.page.text, '<img src=x');
  const trail = await captureAuditEntries(test, () => browser.open('/app/staff/audit?outcome=DENIED'));
  t.match(trail, [{ action: 'AUDIT_LOG_LISTED' }]);
  t.notMatch(browser.main, '>AUDIT_LOG_LISTED</bdi>', 'only what was denied');
  await browser.open(`/app/staff/audit?action=AUDIT_LOG_LISTED&actorId=${user.id}`);
  t.match(browser.main, '3 entries');
  t.match(browser.main, `href="/app/staff/audit?actorId=${user.id}"`);
  t.match(browser.main, /<option value="AUDIT_LOG_LISTED" selected>/);
  await browser.open('/app/staff/audit?resourceId=0123456789abcdef01234567');
  t.match(browser.main, 'No entry matches.');
});

t.test('a filter that has no meaning is refused at its field', async (t) => {
  const { browser, ...test } = await startStaff(t, 'ADMIN');
  const trail = await captureAuditEntries(test, () =>
    browser.open('/app/staff/audit?actorId=nobody&from=2027-02-31x'),
  );
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="actorId-error"/);
  t.match(browser.main, /id="from-error"/);
  t.notMatch(browser.main, '>AUDIT_LOG_LISTED</bdi>');
  t.same(trail, []);
});

t.test('what matches is downloaded, and so is the sealed trail', async (t) => {
  const { browser, ...test } = await startStaff(t, 'AUDITOR');
  await browser.open('/app/staff/audit?action=LOGIN_SUCCEEDED');
  const link = /href="([^"]*format=csv)"/.exec(browser.main)?.[1] ?? '';
  t.match(link, 'action=LOGIN_SUCCEEDED');
  const trail = await captureAuditEntries(test, async () => {
    const csv = await browser.open(link);
    t.match(csv.headers, { 'content-type': /^text\/csv/, 'content-disposition': /^attachment/ });
    t.match(csv.text, /^\ufeff?id,sequence,createdAt,action/);
    const sealed = await browser.open('/app/staff/audit/sealed');
    t.match(sealed.text, /^\{"type":"header"/);
  });
  t.match(trail, [{ action: 'AUDIT_LOG_EXPORTED' }, { action: 'AUDIT_TRAIL_EXPORTED' }]);
  t.equal((await browser.open('/app/staff/audit/export?actorId=nobody')).status, 400);
});

t.test('the trail is verified, and a removed entry is found', async (t) => {
  const { browser, database, services, ...test } = await startStaff(t, 'AUDITOR');
  const trail = await captureAuditEntries({ database }, () => browser.open('/app/staff/audit/verify'));
  t.match(trail, [{ action: 'AUDIT_LOG_VERIFIED' }]);
  t.match(browser.main, 'The trail is intact');
  const release = services.audit.lock.acquire();
  await browser.open('/app/staff/audit/verify');
  t.equal(browser.page.status, 503, 'one at a time');
  t.equal(
    (await test.call('GET', '/api/admin/audit-logs/verify', { token: test.user.accessToken })).status,
    503,
  );
  release();
  await sealAllEntries({ services });
  await runAsSchemaOwner({ services }, async (client) => {
    await client.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only');
    await client.query(
      "UPDATE audit_entries SET outcome = 'FAILURE' WHERE id = (SELECT entry_id FROM audit_seals WHERE sequence = 2)",
    );
  });
  await browser.open('/app/staff/audit/verify');
  t.match(browser.main, /The trail isn’t intact\. An entry was changed\. \(<bdi>2<\/bdi>\)/);
});

t.test('neither users nor support have pages of the trail', async (t) => {
  const test = await startTestApp(t);
  for (const role of ['USER', 'SUPPORT'] as const) {
    const browser = await signInBrowser(test, await test.createUser({ role }));
    for (const path of ['', '/export', '/sealed', '/verify'])
      t.equal((await browser.open(`/app/staff/audit${path}`)).status, 404, `${role} ${path}`);
  }
});
