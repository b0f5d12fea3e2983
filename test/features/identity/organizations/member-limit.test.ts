import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { countStatuses } from '../accounts/helper.ts';
import { createUser } from './helper.ts';
import { createInvitingOrganization } from './invitation-helper.ts';

const createInvitation = () => ({ email: `${generateId()}@example.org`, role: 'VIEWER' });

t.test('the package limits members together with their invitations', async (t) => {
  const test = await startTestApp(t);
  const { call, database } = test;
  const { id, path, members } = await createInvitingOrganization(test, 'OWNER');
  const { token } = members.OWNER;
  const invite = (body = createInvitation()) => call('POST', path, { token, body });
  const readStatus = async () =>
    (await call('GET', '/api/subscription/status', { token, headers: { 'account-id': id } })).body;
  t.match(await readStatus(), { limits: { members: 3 }, usage: { members: 1 } });

  const answers = await Promise.all([invite(), invite(), invite(), invite()]);
  t.same(countStatuses(answers), { 201: 2, 403: 2 }, 'the free package has three');
  const refused = answers.find(({ status }) => status === 403);
  t.match(refused?.body, { code: 'PLAN_LIMIT_REACHED', limit: 'members', used: 3, allowed: 3 });
  t.match(await readStatus(), { usage: { members: 3 } });
  const invited = answers.find(({ status }) => status === 201)?.body;
  t.equal((await invite({ email: invited.email, role: 'EDITOR' })).status, 201, 'the same address again');

  t.equal((await call('DELETE', `${path}/${invited.id}`, { token })).status, 200);
  const other = createInvitation();
  const { body: free } = await invite(other);
  t.equal((await invite()).status, 403, 'a revoked one counts no longer');

  const expiresAt = new Date();
  await database.client.invitation.updateMany({ where: { id: free.id }, data: { expiresAt } });
  t.equal((await invite()).status, 201, 'nor one that has expired');
  for (const again of [await invite(other), await call('POST', `${path}/${free.id}/resend`, { token })])
    t.match(again, { status: 403, body: { code: 'PLAN_LIMIT_REACHED' } }, 'until it is sent again');
});

t.test('an invitation of somebody who may no longer invite counts once it is sent again', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const { id, path, members } = await createInvitingOrganization(test, 'OWNER', 'MANAGER');
  const { OWNER, MANAGER } = members;
  const stopped = createInvitation();
  const { body } = await call('POST', path, { token: MANAGER.token, body: stopped });
  const { token } = OWNER;
  const invite = (invitation = createInvitation()) => call('POST', path, { token, body: invitation });
  t.equal((await invite()).status, 403, 'there are three');
  await call('PATCH', `/api/organizations/${id}/members/${MANAGER.id}`, { token, body: { role: 'VIEWER' } });
  t.equal((await invite()).status, 201, 'a stopped one counts no longer');
  for (const again of [await invite(stopped), await call('POST', `${path}/${body.id}/resend`, { token })])
    t.match(again, { status: 403, body: { code: 'PLAN_LIMIT_REACHED' } }, 'until it is sent again');
});

t.test('who was invited within the limit can accept', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const { path, members } = await createInvitingOrganization(test, 'OWNER', 'MANAGER');
  const user = await createUser(test);
  const body = { email: user.email, role: 'VIEWER' };
  const { body: invitation } = await call('POST', path, { token: members.OWNER.token, body });
  const answer = { token: user.token, body: { invitationId: invitation.id } };
  t.equal((await call('POST', '/api/invitations/accept', answer)).status, 200);
  const refused = await call('POST', path, { token: members.OWNER.token, body: createInvitation() });
  t.equal(refused.status, 403);
});

t.test('a package without the limit has none, and is changed without naming it', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  await database.pool.query(
    "UPDATE subscription_packages SET limits = limits - 'members' WHERE code = 'FREE'",
  );
  const { path, members } = await createInvitingOrganization(test, 'OWNER', 'MANAGER', 'EDITOR');
  const invited = await call('POST', path, { token: members.OWNER.token, body: createInvitation() });
  t.equal(invited.status, 201, invited.text);

  await setPackageLimit(test, 'FREE', { members: 7 });
  const { accessToken: token } = await createUser({ role: 'ADMIN' });
  const { data } = (await call('GET', '/api/admin/packages', { token })).body;
  const { id, names, prices, limits, features, onOffer } = data[0];
  const { members: _members, ...others } = limits;
  const body = { names, prices, limits: { ...others, qrCodes: 51 }, features, onOffer };
  const changed = await call('PUT', `/api/admin/packages/${id}`, { token, body });
  t.match(changed, { status: 200, body: { limits: { qrCodes: 51, members: 7 } } });
});

t.test('where nothing is sold there is no limit', async (t) => {
  const test = await startTestApp(t, { BILLING: 'off' });
  const { path, members } = await createInvitingOrganization(test, 'OWNER', 'MANAGER', 'EDITOR');
  const body = createInvitation();
  t.equal((await test.call('POST', path, { token: members.OWNER.token, body })).status, 201);
});
