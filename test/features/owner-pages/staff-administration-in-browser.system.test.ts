import { findFreePort } from '../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../browser.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';

t.test('pages of staff are accessible on a narrow screen', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const app = await startTestApp(t, { PUBLIC_BASE_URL: base });
  await app.app.listen({ host: '127.0.0.1', port });
  const admin = await app.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const user = await app.createUser({ email: 'uma.with.a.very.long.address.indeed@subdomain.example.org' });
  const code = await app.call('POST', '/api/qrcodes', {
    token: user.accessToken,
    body: { kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Uma', allergies: [{ name: 'Penicillin' }] } },
  });
  await app.call('PATCH', '/api/notifications/preferences', {
    token: user.accessToken,
    body: {
      preferences: { 'message.created': { EMAIL: false } },
      quietHours: { from: '22:00', to: '07:00' },
    },
  });
  await app.database.pool.query(
    `INSERT INTO pgboss.job (name, data, state, retry_limit, retry_count, started_on, completed_on, output)
     VALUES ('export-data', '{}', 'failed', 3, 3, now(), now(), '{"name":"ECONNREFUSED"}')`,
  );
  const packages = await app.call('GET', '/api/admin/packages', { token: admin.accessToken });
  const { id: packageId } = packages.body.data.find((one: { code: string }) => one.code === 'PERSONAL');

  const open = await openBrowser(t);
  const page = await open({ viewport: { width: 320, height: 640 } });
  await page.goto(`${base}/app/sign-in`);
  await page.getByLabel('Email address').fill(admin.email);
  await page.getByLabel('Password').fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.goto(`${base}/app/staff/break-glass`);
  await page.getByLabel('ID').fill(code.body.id);
  await page.getByLabel('Reason').fill('Ambulance called, owner unconscious');
  await page.getByRole('button', { name: 'Open a record' }).click();
  await page.getByText('Penicillin').waitFor();
  for (const path of [
    'users',
    `users/${user.id}`,
    'jobs',
    'audit',
    'audit?actorId=nobody',
    'audit/verify',
    'break-glass',
    `break-glass/codes/${code.body.id}`,
    'packages',
    `packages/${packageId}`,
  ]) {
    await page.goto(`${base}/app/staff/${path}`);
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    t.same(await findAccessibilityViolations(page), [], path);
    t.ok((await measureHorizontalOverflow(page)) <= 0, `${path}: no horizontal overflow`);
  }
});
