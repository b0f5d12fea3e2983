import type { Test } from 'tap';
import { buildApp } from '../../../src/app.ts';
import { removeSecondFactorByEmail } from '../../../src/features/administration/index.ts';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { enableSecondFactor } from '../identity/second-factor/helper.ts';

/** The same database, served as in production. */
async function startProduction(t: Test, test: TestApp) {
  const { services } = test;
  const app = await buildApp({ ...services, config: { ...services.config, production: true } }, false);
  t.teardown(() => app.close());
  return async (method: 'GET' | 'POST', url: string, token: string) => {
    const headers = { host: 'localhost', authorization: `Bearer ${token}` };
    const answer = await app.inject({ method, url, headers });
    return { status: answer.statusCode, body: answer.json(), text: answer.body, headers: answer.headers };
  };
}

async function createStaff(test: TestApp, role: string): Promise<TestUser> {
  const user = await test.createUser();
  await test.database.client.user.update({ where: { id: user.id }, data: { role } });
  return user;
}

t.test('in production a role counts with a second factor only', async (t) => {
  const test = await startTestApp(t);
  const call = await startProduction(t, test);
  const member = await test.createUser();
  t.equal((await call('GET', '/api/qrcodes', member.accessToken)).status, 200, 'users need none');
  for (const [role, path] of [
    ['ADMIN', '/api/admin/users'],
    ['SUPPORT', '/api/support/users?email=nobody@example.org'],
    ['AUDITOR', '/api/admin/audit-logs'],
  ] as const) {
    const staff = await createStaff(test, role);
    const { accessToken: token } = staff;
    for (const one of [path, '/api/qrcodes'])
      t.ok(isProblem(await call('GET', one, token), 403, 'MFA_ENROLLMENT_REQUIRED'), `${role} ${one}`);
    t.match((await call('GET', '/api/auth/me', token)).body, { nextStep: 'ENROLL_MFA' });
    t.equal((await call('GET', '/api/auth/mfa', token)).status, 200);
    t.not(
      (await test.call('GET', path, { token })).body.code,
      'MFA_ENROLLMENT_REQUIRED',
      'not in development',
    );
    await enableSecondFactor(test, staff);
    t.not((await call('GET', path, token)).status, 403, role);
  }
});

t.test('an API key of staff gives nothing without a second factor either', async (t) => {
  const test = await startTestApp(t);
  const call = await startProduction(t, test);
  const staff = await createStaff(test, 'ADMIN');
  const key = await test.call('POST', '/api/api-keys', {
    token: staff.accessToken,
    body: { name: 'ERP', scopes: ['qr-codes:read'] },
  });
  t.ok(isProblem(await call('GET', '/api/qrcodes', key.body.token), 403, 'MFA_ENROLLMENT_REQUIRED'));
});

t.test('a lost second factor is removed on the machine', async (t) => {
  const test = await startTestApp(t);
  const staff = await createStaff(test, 'ADMIN');
  t.equal(await removeSecondFactorByEmail(test.services, 'nobody@example.org'), 'NO_ACCOUNT');
  t.equal(await removeSecondFactorByEmail(test.services, staff.email), 'NOT_ENABLED');
  await enableSecondFactor(test, staff);
  t.equal(await removeSecondFactorByEmail(test.services, staff.email), 'REMOVED');
  t.equal((await test.call('GET', '/api/auth/me', { token: staff.accessToken })).status, 401);
  t.ok(await test.getMailBySubject(staff.email, /two-factor/));
  t.match(await test.database.client.auditEntry.findMany({ where: { action: 'MFA_REMOVED' } }), [
    { operation: 'admin remove-second-factor' },
  ]);
});
