import type { Test } from 'tap';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { eraseAccountOf, fetchBytes, readExportData, waitFor } from '../../personal-data/helper.ts';
import { countStatuses } from '../accounts/helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';
import { createUser, type TestMember } from './helper.ts';
import { createInvitingOrganization, findInvitationToken } from './invitation-helper.ts';

const URL = '/api/invitations';
const test = await startTestApp(t);
const { call, database } = test;

/** Invite a user who has an account; `link` is the token of the email. */
async function invite({ email }: { email: string }, role = 'EDITOR') {
  const organization = await createInvitingOrganization(test, 'OWNER', 'MANAGER');
  const { path, members } = organization;
  const created = await call('POST', path, { token: members.MANAGER.token, body: { email, role } });
  if (created.status !== 201) throw new Error(created.text);
  return { ...organization, invitationId: created.body.id, link: await findInvitationToken(test, email) };
}

const answer = (how: 'accept' | 'decline', { token }: TestMember, body: object) =>
  call('POST', `${URL}/${how}`, { token, body });

function isRefused(t: Test, response: Awaited<ReturnType<typeof call>>, text = 'invalid') {
  t.match(response, { status: 404, body: { code: 'INVITATION_INVALID' } }, text);
}

t.test('who is invited accepts by the link, and is a member of that role', async (t) => {
  const user = await createUser(test);
  const { id, link, members } = await invite(user);
  const [listed, ...others] = (await call('GET', URL, { token: user.token })).body.data;
  t.match(listed, { organization: { id, name: 'Harbor School' }, role: 'EDITOR', invitedBy: 'Ada Lovelace' });
  t.same(others, []);
  const accepted = await answer('accept', user, { token: link });
  t.match(accepted, { status: 200, body: { organization: { id, name: 'Harbor School' }, role: 'EDITOR' } });
  t.same((await answer('accept', user, { token: link })).body, accepted.body, 'a repeat');
  t.same((await call('GET', URL, { token: user.token })).body.data, []);
  const codes = await call('GET', '/api/qrcodes', { token: user.token, headers: { 'account-id': id } });
  t.equal(codes.status, 200, 'acts for it from the next request on');
  for (const { email } of [members.OWNER, members.MANAGER]) {
    const mail = await test.getMailBySubject(email, /is now a member of Harbor School/);
    t.match(mail?.text, user.email);
  }
  const { rows } = await database.pool.query(
    `SELECT action FROM audit_entries WHERE account_reference = (SELECT reference FROM audit_actors WHERE user_id = $1)
     AND actor_reference = (SELECT reference FROM audit_actors WHERE user_id = $2)`,
    [id, user.id],
  );
  t.same(rows, [{ action: 'INVITATION_ACCEPTED' }]);
});

t.test('somebody without an account registers, and finds the invitation', async (t) => {
  const email = `${generateId()}@example.org`;
  const { id, invitationId } = await invite({ email });
  const { accessToken: token } = await test.createUser({ email });
  t.equal((await call('GET', URL, { token })).body.data[0].id, invitationId);
  t.match(await call('POST', `${URL}/accept`, { token, body: { invitationId } }), {
    status: 200,
    body: { id: invitationId, organization: { id }, role: 'EDITOR' },
  });
});

t.test('an invitation is answered once, whichever way', async (t) => {
  const user = await createUser(test);
  const { id, invitationId, link, path, members } = await invite(user);
  const declined = await answer('decline', user, { token: link });
  t.match(declined, { status: 200, body: { id: invitationId } });
  t.equal((await answer('decline', user, { invitationId })).status, 200, 'a repeat');
  isRefused(t, await answer('accept', user, { token: link }));
  isRefused(t, await answer('accept', user, { invitationId }));
  t.equal(await database.client.membership.count({ where: { accountId: id, userId: user.id } }), 0);
  t.same((await call('GET', path, { token: members.OWNER.token })).body.data, []);
  const other = await createUser(test);
  const accepted = await invite(other);
  t.equal((await answer('accept', other, { token: accepted.link })).status, 200);
  isRefused(t, await answer('decline', other, { token: accepted.link }));
});

t.test('every invitation that cannot be accepted is refused in the same way', async (t) => {
  const user = await createUser(test);
  const refusals: string[] = [];
  const forgetWrongLinks = () =>
    database.pool.query('DELETE FROM attempt_budgets WHERE key = $1', [`invitation-links:${user.id}`]);
  const refuse = async (text: string, change: (invited: Awaited<ReturnType<typeof invite>>) => unknown) => {
    const invited = await invite(user);
    await change(invited);
    await forgetWrongLinks();
    for (const body of [{ token: invited.link }, { invitationId: invited.invitationId }])
      for (const how of ['accept', 'decline'] as const) {
        const { status, body: problem } = await answer(how, user, body);
        const { instance: _path, requestId: _id, ...shape } = problem;
        refusals.push(JSON.stringify([status, shape]));
      }
    const { id } = invited;
    t.equal(await database.client.membership.count({ where: { accountId: id, userId: user.id } }), 0, text);
    const listed = (await call('GET', URL, { token: user.token })).body.data;
    t.same(listed, [], `${text} is not listed`);
  };
  const { client } = database;
  await refuse('one that has expired', ({ invitationId: id }) =>
    client.invitation.updateMany({ where: { id }, data: { expiresAt: new Date() } }),
  );
  await refuse('a revoked one', ({ path, invitationId, members }) =>
    call('DELETE', `${path}/${invitationId}`, { token: members.OWNER.token }),
  );
  await refuse('one to a deleted organization', ({ id }) =>
    client.account.update({ where: { id }, data: { deleteAfter: new Date(Date.now() + 3_600_000) } }),
  );
  await refuse('one to a suspended organization', ({ id }) =>
    client.account.update({ where: { id }, data: { status: 'SUSPENDED' } }),
  );
  await refuse('one by a manager who has left', ({ id: accountId, members }) =>
    client.membership.deleteMany({ where: { accountId, userId: members.MANAGER.id } }),
  );
  await refuse('one by a manager who was demoted', ({ id: accountId, members }) =>
    client.membership.updateMany({
      where: { accountId, userId: members.MANAGER.id },
      data: { role: 'EDITOR' },
    }),
  );
  await forgetWrongLinks();
  const unknown = await answer('accept', user, { token: 'x'.repeat(43) });
  const { instance: _path, requestId: _id, ...shape } = unknown.body;
  t.same([...new Set(refusals)], [JSON.stringify([404, shape])]);
});

t.test('an invitation whose sender has left works again once another one sends it', async (t) => {
  const user = await createUser(test);
  const { id: accountId, path, invitationId, link, members } = await invite(user);
  await database.client.membership.deleteMany({ where: { accountId, userId: members.MANAGER.id } });
  const { token } = members.OWNER;
  t.match((await call('GET', `${path}/${invitationId}`, { token })).body, { status: 'STOPPED' });
  const resent = await call('POST', `${path}/${invitationId}/resend`, { token });
  t.match(resent.body, { status: 'PENDING', invitedBy: members.OWNER.id });
  isRefused(t, await answer('accept', user, { token: link }), 'the earlier link');
  t.equal((await answer('accept', user, { invitationId })).status, 200);
});

t.test('who is demoted and promoted again has not invited anybody', async (t) => {
  const user = await createUser(test);
  const { path, id, link, members, invitationId } = await invite(user, 'VIEWER');
  const { OWNER, MANAGER } = members;
  const member = `/api/organizations/${id}/members/${MANAGER.id}`;
  const setRole = (role: string) => call('PATCH', member, { token: OWNER.token, body: { role } });
  for (const role of ['EDITOR', 'MANAGER']) t.equal((await setRole(role)).status, 200, role);
  t.match((await call('GET', `${path}/${invitationId}`, { token: OWNER.token })).body, {
    status: 'STOPPED',
    invitedBy: null,
  });
  isRefused(t, await answer('accept', user, { token: link }));
});

t.test('a hundred stopped invitations hide no other one', async (t) => {
  const user = await createUser(test);
  const { invitationId } = await invite(user);
  const { emailHash } = await database.client.invitation.findUniqueOrThrow({ where: { id: invitationId } });
  const stopped = await createInvitingOrganization(test, 'OWNER');
  for (let index = 0; index < 100; index += 1) {
    const { id: accountId } = index === 0 ? stopped : await createInvitingOrganization(test);
    const row = { email: Buffer.from('x'), emailHash, tokenHash: Buffer.from(generateId()), role: 'VIEWER' };
    const expiresAt = new Date(Date.now() + 3_600_000);
    await database.client.invitation.create({ data: { ...row, accountId, id: generateId(), expiresAt } });
  }
  const { data } = (await call('GET', URL, { token: user.token })).body;
  t.same(
    data.map(({ id }: { id: string }) => id),
    [invitationId],
  );
});

t.test('what others named is no link in an email or a list', async (t) => {
  const user = await createUser(test);
  const { id, members, link } = await invite(user);
  const name = 'Gewinn auf https://evil.example.com/login';
  await database.client.account.update({ where: { id }, data: { name } });
  const [listed] = (await call('GET', URL, { token: user.token })).body.data;
  t.equal(listed.organization.name, 'Gewinn auf https evil example com login');
  await answer('accept', user, { token: link });
  const { token, email } = members.OWNER;
  await call('DELETE', `/api/organizations/${id}/members/${user.id}`, { token });
  const accepted = await test.getMailBySubject(email, /is now a member of/);
  const removed = await test.getMailBySubject(user.email, /no longer/);
  for (const mail of [accepted, removed]) {
    t.match(mail?.text, 'https evil example com login');
    t.notMatch(mail?.text, /evil\./);
  }
});

t.test('the link of somebody else leads to nothing, and many wrong ones are limited', async (t) => {
  const [user, thief] = [await createUser(test), await createUser(test)];
  const { link, invitationId, id } = await invite(user);
  isRefused(t, await answer('accept', thief, { token: link }));
  isRefused(t, await answer('decline', thief, { token: link }));
  isRefused(t, await answer('accept', thief, { invitationId }));
  const wrong = [];
  for (let index = 0; index < 18; index += 1)
    wrong.push(await answer('accept', thief, { token: generateId() }));
  t.same(countStatuses(wrong), { 404: 17, 429: 1 });
  t.equal((await answer('accept', user, { token: link })).status, 200, 'others are not limited');
  t.equal(await database.client.membership.count({ where: { accountId: id, userId: thief.id } }), 0);
});

t.test('ten acceptances at once make one member and one email', async (t) => {
  const user = await createUser(test);
  const { id, link } = await invite(user);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => answer('accept', user, { token: link })),
  );
  t.same(countStatuses(answers), { 200: 10 });
  t.equal(await database.client.membership.count({ where: { accountId: id, userId: user.id } }), 1);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int FROM audit_entries WHERE action = 'INVITATION_ACCEPTED'
     AND account_reference = (SELECT reference FROM audit_actors WHERE user_id = $1)`,
    [id],
  );
  t.same(rows, [{ count: 1 }]);
});

t.test('an acceptance waits for who revokes, demotes or deletes at the same time', async (t) => {
  for (const change of ['revoke', 'demote', 'delete'] as const) {
    const user = await createUser(test);
    const { id, link, invitationId, members } = await invite(user);
    const { paused, release, done } = pauseTransaction(test, async (tx) => {
      await tx.$queryRaw`SELECT FROM accounts WHERE id = ${id} FOR NO KEY UPDATE`;
      if (change === 'revoke')
        await tx.invitation.updateMany({
          where: { id: invitationId },
          data: { status: 'REVOKED', endedAt: new Date() },
        });
      else if (change === 'demote')
        await tx.membership.updateMany({
          where: { accountId: id, userId: members.MANAGER.id },
          data: { role: 'VIEWER' },
        });
      else await tx.account.update({ where: { id }, data: { deleteAfter: new Date('2100-01-01') } });
    });
    await paused;
    const accepting = answer('accept', user, { token: link });
    await waitForLock(test, accepting);
    release();
    await done;
    isRefused(t, await accepting, change);
  }
});

t.test('a request names either the token or the invitation', async (t) => {
  const user = await createUser(test);
  for (const body of [{}, { token: 'x', invitationId: generateId() }]) {
    const refused = await answer('accept', user, body);
    t.match(refused, { status: 400, body: { errors: [{ field: 'token' }] } });
  }
});

t.test('an erased account leaves no invitation, and what it sent works no more', async (t) => {
  const invitee = await test.createUser();
  const { id } = await invite(invitee);
  t.equal((await eraseAccountOf(test, invitee)).status, 200);
  t.equal(await database.client.invitation.count({ where: { accountId: id } }), 0);
  const again = await test.createUser({ email: invitee.email });
  t.same((await call('GET', URL, { token: again.accessToken })).body.data, []);

  const user = await createUser(test);
  const sender = await test.createUser();
  const { path, id: accountId } = await createInvitingOrganization(test, 'OWNER');
  await database.client.membership.create({ data: { accountId, userId: sender.id, role: 'MANAGER' } });
  const body = { email: user.email, role: 'VIEWER' };
  await call('POST', path, { token: sender.accessToken, body });
  const link = await findInvitationToken(test, user.email);
  await eraseAccountOf(test, sender);
  isRefused(t, await answer('accept', user, { token: link }));
});

t.test('an export has the invitations that its user can accept', async (t) => {
  const user = await test.createUser();
  const { invitationId } = await invite(user);
  const { accessToken: token } = user;
  const started = await call('POST', '/api/auth/exports', { token, body: { password: TEST_PASSWORD } });
  const path = `/api/auth/exports/${started.body.id}`;
  await waitFor(async () => (await call('GET', path, { token })).body.status === 'READY');
  const data = await readExportData((await fetchBytes(test, `${path}/content`, token)).bytes);
  t.match(data.invitations, [{ id: invitationId, role: 'EDITOR' }]);
});
