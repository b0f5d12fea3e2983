import type { UserRole } from '../../../src/permissions.ts';
import { generateAbsentId, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { enableSecondFactor } from '../identity/second-factor/helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

const HOSTILE = '<script>alert(1)</script>"\u202e';

async function startStaff(t: Parameters<typeof startTestApp>[0]) {
  const test = await startTestApp(t);
  const signIn = async (role: UserRole) => {
    const user = await test.createUser({ email: `${role.toLowerCase()}@example.org`, role });
    return { user, browser: await signInBrowser(test, user) };
  };
  return { ...test, signIn };
}

t.test('an administrator filters users, with an entry of the audit trail for each', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  const ada = await test.createUser({ email: 'ada@example.org' });
  await test.database.client.user.update({ where: { id: ada.id }, data: { lastName: HOSTILE } });
  await browser.open('/app/staff/users');
  t.match(browser.main, '2 users');
  t.match(browser.main, `href="/app/staff/users/${ada.id}"`);
  t.notMatch(browser.page.text, '<script>alert', 'names are text');
  const trail = await captureAuditEntries(test, () => browser.open('/app/staff/users?search=ada%40'));
  t.match(trail, [{ action: 'ADMIN_USERS_LISTED', resourceId: /^[0-9a-f]{24}$/ }]);
  t.match(browser.main, '1 user<');
  await browser.open('/app/staff/users?role=ADMIN');
  t.notMatch(browser.main, 'ada@example.org');
  await browser.open('/app/staff/users?status=SUSPENDED&role=nonsense&cursor=nonsense');
  t.match(browser.main, 'Nobody matches.');
});

t.test('a list of users goes on after its first page', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  const data = Array.from({ length: 26 }, (_, index) => ({
    id: generateAbsentId(),
    email: `zora${index}@example.net`,
    status: 'ACTIVE',
    firstName: 'Zora',
    lastName: 'Q',
    accountType: 'INDIVIDUAL',
  }));
  await test.database.client.user.createMany({ data });
  await browser.open('/app/staff/users?search=zora');
  t.match(browser.main, '26 users');
  const listed = (text: string) => [...text.matchAll(/zora\d+@/g)].map(([address]) => address);
  const first = listed(browser.main);
  const next = /href="([^"]*cursor=[^"]*)"/.exec(browser.main)?.[1] ?? '';
  await browser.open(next);
  t.equal(new Set([...first, ...listed(browser.main)]).size, 26);
  t.notMatch(browser.main, 'cursor=');
});

t.test('support finds somebody, sees why they get no emails, and can change nothing', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('SUPPORT');
  const ada = await test.createUser({ email: 'ada@example.org' });
  await browser.open('/app/staff');
  t.equal(browser.path, '/app/staff/find');
  t.notMatch(browser.main, 'ada@example.org', 'not everybody is listed');
  await browser.open('/app/staff/find?search=ad');
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="search-error"/);
  await browser.open('/app/staff/find?search=ADA%40example');
  t.match(browser.main, '1 user<');
  const path = `/app/staff/users/${ada.id}`;
  t.match(browser.main, `href="${path}"`);

  const trail = await captureAuditEntries(test, () => browser.open(path));
  t.match(trail, [{ action: 'SUPPORT_MAIL_STATUS_READ', resourceId: /^[0-9a-f]{24}$/ }]);
  t.equal(browser.title, ada.email);
  t.notMatch(browser.page.text, `<title>${ada.email}`);
  t.match(browser.main, 'Nothing holds emails back');
  t.notMatch(browser.main, '<form');
  t.notMatch(browser.main, 'Administrator');

  await test.call('PATCH', '/api/notifications/preferences', {
    token: ada.accessToken,
    body: {
      preferences: { 'message.created': { EMAIL: false } },
      quietHours: { from: '22:00', to: '07:00' },
    },
  });
  await browser.open(path);
  t.match(browser.main, 'They turned off some emails in their settings.');
  t.match(browser.main, 'message.created');
  t.match(browser.main, 'Quiet hours from 22:00 to 07:00');
  for (const other of ['/app/staff/users', '/app/staff/jobs', `/app/staff/users/${generateAbsentId()}`])
    t.equal((await browser.open(other)).status, 404, other);
  await browser.open('/app/staff/find');
  const form = { method: 'POST', body: 'status=SUSPENDED' };
  t.equal((await browser.open(`${path}/status`, form)).status, 404);
  t.match(await test.database.client.user.findUnique({ where: { id: ada.id } }), { status: 'ACTIVE' });
});

t.test('an administrator suspends and restores an account, and signs it out', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  const ada = await test.createUser({ email: 'ada@example.org' });
  const path = `/app/staff/users/${ada.id}`;
  await browser.open(path);
  t.match(browser.main, 'Finders no longer see their codes', 'what will happen is said before');
  const trail = await captureAuditEntries(test, () => browser.send('/status'));
  t.match(trail, [
    { action: 'USER_SUSPENDED', resourceId: /^[0-9a-f]{24}$/ },
    { action: 'SUPPORT_MAIL_STATUS_READ' },
  ]);
  t.equal(browser.path, `${path}?done=suspended`);
  t.match(browser.main, 'The account is suspended.');
  t.match(browser.main, 'It gets no notifications.');
  await browser.send('/status');
  t.match(browser.main, 'The account is restored.');
  await browser.send('/sessions');
  t.match(browser.main, 'They are signed out everywhere.');
  await browser.open(`${path}?done=<b>nonsense`);
  t.notMatch(browser.main, 'nonsense');
});

t.test('role, enterprise mode and second factor are changed, and a refusal is explained', async (t) => {
  const test = await startStaff(t);
  const { user: admin, browser } = await test.signIn('ADMIN');
  const ada = await test.createUser({ email: 'ada@example.org' });
  await enableSecondFactor(test, ada);
  const path = `/app/staff/users/${ada.id}`;
  await browser.open(path);
  await browser.send('/second-factor');
  t.match(browser.main, 'The second factor is removed.');
  await browser.send('/second-factor');
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'There is no second factor to remove.');
  await browser.send('/role', { role: 'SUPPORT' });
  t.match(browser.main, 'The role is saved.');
  await browser.send('/enterprise');
  t.match(browser.main, 'Enterprise mode is changed.');
  t.match(await test.database.client.user.findUnique({ where: { id: ada.id } }), {
    role: 'SUPPORT',
    enterpriseMode: true,
  });

  await browser.open(`/app/staff/users/${admin.id}`);
  t.equal(browser.findForm('/second-factor'), null, 'not their own');
  await browser.send('/role', { role: 'USER' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'This is the last administrator');
});

t.test('a new code is emailed to an address that was never confirmed', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  const email = 'new@example.org';
  await test.call('POST', '/api/auth/register', { body: { email, password: 'a lighthouse for lost dogs' } });
  const { id } = await test.database.client.user.findUniqueOrThrow({ where: { email } });
  await browser.open(`/app/staff/users/${id}`);
  t.match(browser.main, 'They never confirmed their address.');
  await browser.send('/activation');
  t.match(browser.main, 'A new code is on its way.');
});
