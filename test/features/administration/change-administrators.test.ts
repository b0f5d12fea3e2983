import {
  createAdministrator,
  demoteAdministrator,
  promoteUserToAdministrator,
} from '../../../src/features/administration/change-administrators.use-case.ts';
import { ensureAdministrator } from '../../../src/features/administration/ensure-administrator.ts';
import { hasAdministrator } from '../../../src/features/identity/accounts/user.repository.ts';
import { ConfigError } from '../../../src/shared/config-error.ts';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';

const EMAIL = 'root@example.org';

function settings(test: TestApp, adminEmail = EMAIL, adminPassword = TEST_PASSWORD) {
  return { ...test.services, config: { adminEmail, adminPassword } };
}

const actions = async (test: TestApp, work: () => Promise<unknown>) =>
  (await captureAuditEntries(test, work)).map(({ action }) => action);

t.test(
  'startup creates the configured administrator once, also with several instances in parallel',
  async (t) => {
    const test = await startTestApp(t);
    const { call, database, services } = test;
    t.equal(await ensureAdministrator(services), 'NOT_SET');
    const trail = await actions(test, async () => {
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => ensureAdministrator(settings(test))));
      t.same(outcomes.sort(), ['CREATED', 'EXISTS', 'EXISTS', 'EXISTS']);
      t.equal(await ensureAdministrator(settings(test, 'other@example.org')), 'EXISTS');
    });
    t.same(trail, ['ADMINISTRATOR_CREATED']);
    t.equal(await database.client.user.count(), 1);
    const login = await call('POST', '/api/auth/login', { body: { email: EMAIL, password: TEST_PASSWORD } });
    t.equal(login.status, 200, login.text);
    t.match(login.body.user, { role: 'ADMIN', status: 'ACTIVE' });
    t.equal((await call('GET', '/api/admin/users', { token: login.body.accessToken })).status, 200);
  },
);

t.test('startup promotes an existing account of the configured address and keeps its password', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { accessToken: token } = await createUser({ email: EMAIL });
  t.equal(
    await ensureAdministrator(settings(test, 'Root@Example.org', 'quite another password')),
    'PROMOTED',
  );
  t.equal((await call('GET', '/api/auth/me', { token })).status, 401, 'sessions end');
  const body = { email: EMAIL, password: TEST_PASSWORD };
  t.equal((await call('POST', '/api/auth/login', { body })).body.user.role, 'ADMIN');
});

t.test('creating an administrator replaces an unverified registration of the address', async (t) => {
  const test = await startTestApp(t);
  const { call, database, getOtp } = test;
  await call('POST', '/api/auth/register', { body: { email: EMAIL, password: 'planted by somebody' } });
  const otp = await getOtp(EMAIL);
  t.equal(await ensureAdministrator(settings(test)), 'CREATED');
  t.equal((await call('POST', '/api/auth/verify-otp', { body: { email: EMAIL, otp } })).status, 400);
  const planted = { email: EMAIL, password: 'planted by somebody' };
  t.equal((await call('POST', '/api/auth/login', { body: planted })).status, 401);
  t.equal(
    (await call('POST', '/api/auth/login', { body: { email: EMAIL, password: TEST_PASSWORD } })).status,
    200,
  );
  t.equal(await database.client.pendingRegistration.count(), 0);
});

t.test('startup rejects an invalid address, a weak password and a suspended account', async (t) => {
  const test = await startTestApp(t);
  const { database, createUser } = test;
  await t.rejects(ensureAdministrator(settings(test, 'root')), ConfigError);
  await t.rejects(ensureAdministrator(settings(test, EMAIL, 'password1234')), /ADMIN_PASSWORD/);
  const { id } = await createUser({ email: EMAIL });
  await database.client.user.update({ where: { id }, data: { status: 'SUSPENDED' } });
  await t.rejects(ensureAdministrator(settings(test)), /suspended/);
  t.equal(await database.client.user.count({ where: { role: 'ADMIN' } }), 0);
});

t.test('only a confirmed account that is not suspended can be promoted', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const trail = await actions(test, async () => {
    t.equal(await promoteUserToAdministrator(database, ada.email), 'PROMOTED');
    t.equal(await promoteUserToAdministrator(database, ada.email), 'WAS_ADMINISTRATOR');
    t.equal(await promoteUserToAdministrator(database, 'nobody@example.org'), 'NO_ACCOUNT');
  });
  t.same(trail, ['ADMINISTRATOR_CREATED']);
  t.equal((await call('GET', '/api/auth/me', { token: ada.accessToken })).status, 401, 'sessions end');
  await call('POST', '/api/auth/register', { body: { email: 'waits@example.org', password: TEST_PASSWORD } });
  t.equal(await promoteUserToAdministrator(database, 'waits@example.org'), 'NOT_CONFIRMED');
  const bob = await createUser({ profile: false });
  t.equal(await promoteUserToAdministrator(database, bob.email), 'PROMOTED', 'a profile is not needed');
  const eve = await createUser();
  await database.client.user.update({ where: { id: eve.id }, data: { status: 'SUSPENDED' } });
  t.equal(await promoteUserToAdministrator(database, eve.email), 'SUSPENDED');
  const passwordHash = await test.services.passwords.hash(TEST_PASSWORD);
  t.equal(await createAdministrator(database, { email: eve.email, passwordHash }), 'HAS_ACCOUNT');
  t.equal(await database.client.user.count({ where: { role: 'ADMIN' } }), 2);
});

t.test('the last administrator able to log in cannot be demoted, also by parallel calls', async (t) => {
  const test = await startTestApp(t);
  const { createUser, database } = test;
  const ada = await createUser();
  const bob = await createUser();
  for (const { email } of [ada, bob]) await promoteUserToAdministrator(database, email);
  const trail = await captureAuditEntries(test, async () => {
    const outcomes = await Promise.all([
      demoteAdministrator(database, ada.email),
      demoteAdministrator(database, bob.email),
    ]);
    t.same(outcomes.sort(), ['DEMOTED', 'LAST']);
  });
  t.match(trail, [{ action: 'ROLE_CHANGED', severity: 'CRITICAL', changes: ['role'] }]);
  t.equal(trail.length, 1);
  t.ok(await hasAdministrator(database.client));
  await promoteUserToAdministrator(database, ada.email);
  await promoteUserToAdministrator(database, bob.email);
  await database.client.user.update({ where: { id: bob.id }, data: { status: 'SUSPENDED' } });
  t.equal(await demoteAdministrator(database, ada.email), 'LAST', 'a suspended administrator does not count');
  t.equal(
    await demoteAdministrator(database, bob.email),
    'DEMOTED',
    'a suspended administrator can be demoted',
  );
  t.equal(await demoteAdministrator(database, bob.email), 'NO_ADMINISTRATOR');
  t.equal(await demoteAdministrator(database, 'nobody@example.org'), 'NO_ADMINISTRATOR');
});
