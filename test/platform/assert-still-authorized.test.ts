import { assertStillAuthorized } from '../../src/platform/assert-still-authorized.ts';
import type { CurrentUser } from '../../src/platform/current-user.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';

t.test('an administrator is refused who lost session, account or role since the request began', async (t) => {
  const { database, createUser } = await startTestApp(t);
  const { id, email } = await createUser();
  await database.client.user.update({ where: { id }, data: { role: 'ADMIN' } });
  const { id: sessionId } = await database.client.session.findFirstOrThrow({ where: { userId: id } });
  const user: CurrentUser = {
    id,
    email,
    sessionId,
    apiKey: null,
    role: 'ADMIN',
    status: 'ACTIVE',
    timeZone: 'UTC',
    language: 'en',
    isEnterprise: false,
    mustEnroll: false,
    account: null,
  };
  const check = (context: { user: CurrentUser | null }) =>
    database.transaction((tx) => assertStillAuthorized(tx, context, 'admin:change-users', false));
  await t.resolves(check({ user }));
  await t.rejects(check({ user: null }), { code: 'UNAUTHENTICATED' });

  await database.client.user.update({ where: { id }, data: { role: 'USER' } });
  await t.rejects(check({ user }), { code: 'FORBIDDEN' });
  await database.client.user.update({ where: { id }, data: { role: 'ADMIN', status: 'SUSPENDED' } });
  await t.rejects(check({ user }), { code: 'ACCOUNT_SUSPENDED' });
  await database.client.user.update({ where: { id }, data: { status: 'ACTIVE' } });
  await database.client.session.update({
    where: { id: sessionId },
    data: { endedAt: new Date(), endReason: 'LOGOUT' },
  });
  await t.rejects(check({ user }), { code: 'UNAUTHENTICATED' });
});
