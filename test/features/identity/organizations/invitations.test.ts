import { createCleanUpJob } from '../../../../src/platform/clean-up.job.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';
import { createUser } from './helper.ts';
import { createInvitingOrganization, findInvitationToken, listInvitationMails } from './invitation-helper.ts';

const test = await startTestApp(t);
const { call, database } = test;

await setPackageLimit(test, 'FREE', { members: null });

const createAddress = () => `${generateId()}@example.org`;

t.test('an owner invites an address, sends it again and revokes it', async (t) => {
  const { id, path, members } = await createInvitingOrganization(test, 'OWNER');
  const { token, id: invitedBy } = members.OWNER;
  const email = createAddress();
  const created = await call('POST', path, { token, body: { email, role: 'EDITOR' } });
  t.equal(created.status, 201, created.text);
  const { body } = created;
  t.match(body, { accountId: id, email, role: 'EDITOR', status: 'PENDING', invitedBy, sends: 1 });
  t.equal(created.headers.location, `${path}/${body.id}`);
  t.same((await call('GET', `${path}?page=1`, { token })).body.data, [body]);
  t.same((await call('GET', `${path}/${body.id}`, { token })).body, body);
  const first = await findInvitationToken(test, email);
  t.ok(first);

  const resent = await call('POST', `${path}/${body.id}/resend`, { token });
  t.match(resent, { status: 200, body: { id: body.id, sends: 2 } });
  const [stored] = (await database.pool.query('SELECT * FROM invitations WHERE id = $1', [body.id])).rows;
  t.notOk(JSON.stringify(stored).includes(email), 'the address is encrypted');

  t.match(await call('DELETE', `${path}/${body.id}`, { token }), { status: 200, body: { deleted: true } });
  t.equal((await call('DELETE', `${path}/${body.id}`, { token })).status, 200, 'a repeat');
  t.same((await call('GET', path, { token })).body.data, []);
  t.match((await call('GET', `${path}/${body.id}`, { token })).body, { status: 'REVOKED' });
  t.match(await call('POST', `${path}/${body.id}/resend`, { token }), {
    status: 409,
    body: { code: 'INVITATION_ENDED' },
  });
  const again = await call('POST', path, { token, body: { email, role: 'VIEWER' } });
  t.equal(again.status, 201);
  t.not(again.body.id, body.id, 'an address can be invited anew');

  const { rows } = await database.pool.query(
    `SELECT action, actor_reference <> account_reference AS other FROM audit_entries
     WHERE account_reference = (SELECT reference FROM audit_actors WHERE user_id = $1) ORDER BY created_at, id`,
    [id],
  );
  t.same(rows.map(({ action }) => action).toSorted(), [
    'INVITATION_CREATED',
    'INVITATION_CREATED',
    'INVITATION_RESENT',
    'INVITATION_REVOKED',
  ]);
  t.ok(rows.every(({ other }) => other));
});

t.test('known and unknown addresses get the same answer and the same email', async (t) => {
  const { path, members } = await createInvitingOrganization(test, 'OWNER');
  const known = await createUser(test);
  const emails = [known.email, createAddress()];
  const answers = [];
  for (const email of emails)
    answers.push(await call('POST', path, { token: members.OWNER.token, body: { email, role: 'VIEWER' } }));
  const [one, other] = answers.map(({ status, body }) => ({ status, fields: Object.keys(body) }));
  t.same(one, other);
  const texts = [];
  for (const email of emails) {
    const [mail] = await listInvitationMails(test, email);
    t.equal(mail?.subject, 'Ada Lovelace invites you to Harbor School');
    texts.push(
      mail?.text
        .replaceAll(email, '<address>')
        .replace(/invitations\/\S+/, '<link>')
        .replace(/valid until .*/, '<time>')
        .replace(/suppress\/\S+/, '<suppression>'),
    );
  }
  t.equal(texts[0], texts[1]);
});

t.test(
  'the email is in the language of the organization, and what others named is no link in it',
  async (t) => {
    const { id, path, members } = await createInvitingOrganization(test, 'OWNER');
    const name = `Gewinn auf https://evil.example.com/login ${'x'.repeat(100)}`;
    await database.client.account.update({ where: { id }, data: { name, language: 'de' } });
    await database.client.user.update({
      where: { id: members.OWNER.id },
      data: { firstName: 'www.evil.org', lastName: '\u202eAda' },
    });
    const email = createAddress();
    await call('POST', path, { token: members.OWNER.token, body: { email, role: 'VIEWER' } });
    const mail = await test.getMailBySubject(email, /lädt Sie zu/);
    t.match(mail?.subject, /^www evil org Ada lädt Sie zu Gewinn auf https evil example com login x+… ein$/);
    t.notMatch(mail?.text, /evil\./);
  },
);

t.test('a second invitation of an address renews the first', async (t) => {
  const { path, members } = await createInvitingOrganization(test, 'OWNER');
  const { token } = members.OWNER;
  const email = createAddress();
  const invite = (role: string) => call('POST', path, { token, body: { email, role } });
  const first = await invite('VIEWER');
  const second = await invite('EDITOR');
  t.match(second, { status: 201, body: { id: first.body.id, role: 'EDITOR', sends: 2 } });
  t.equal((await listInvitationMails(test, email)).length, 2);
  t.equal((await invite('EDITOR')).status, 201);
  t.equal((await invite('EDITOR')).status, 201);
  const refused = await invite('EDITOR');
  t.equal(refused.status, 429, 'three more emails a day');
  t.ok(Number(refused.headers['retry-after']) > 0);
  const resent = await call('POST', `${path}/${first.body.id}/resend`, { token });
  t.equal(resent.status, 429);
  const { status } = await call('DELETE', `${path}/${first.body.id}`, { token });
  t.same([status, (await invite('VIEWER')).status], [200, 429], 'a new invitation of the address, too');
  t.equal((await listInvitationMails(test, email)).length, 4);
});

t.test('parallel invitations of one address are one', async (t) => {
  const { id, path, members } = await createInvitingOrganization(test, 'OWNER');
  const body = { email: createAddress(), role: 'VIEWER' };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', path, { token: members.OWNER.token, body })),
  );
  t.same(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  t.equal(new Set(answers.map(({ body: { id: one } }) => one)).size, 1);
  t.equal(await database.client.invitation.count({ where: { accountId: id } }), 1);
});

t.test('an Idempotency-Key sends one email', async (t) => {
  const { path, members } = await createInvitingOrganization(test, 'OWNER');
  const email = createAddress();
  const request = {
    token: members.OWNER.token,
    body: { email, role: 'VIEWER' },
    headers: { 'idempotency-key': generateId() },
  };
  const [first, second] = [await call('POST', path, request), await call('POST', path, request)];
  t.same(second.body, first.body);
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.equal((await listInvitationMails(test, email)).length, 1);
});

t.test(
  'owners invite to any role but their own, managers to those below theirs, others to none',
  async (t) => {
    const roles = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const;
    const { path, members } = await createInvitingOrganization(test, ...roles);
    const invited = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'];
    const statuses: Record<string, number[]> = {};
    for (const role of roles) {
      statuses[role] = [];
      for (const as of invited) {
        const body = { email: createAddress(), role: as };
        const answer = await call('POST', path, { token: members[role].token, body });
        statuses[role].push(answer.status);
      }
    }
    t.same(statuses, {
      OWNER: [400, 201, 201, 201, 201, 201],
      MANAGER: [400, 403, 201, 201, 201, 403],
      EDITOR: [400, 403, 403, 403, 403, 403],
      RESPONDER: [400, 403, 403, 403, 403, 403],
      VIEWER: [400, 403, 403, 403, 403, 403],
      BILLING: [400, 403, 403, 403, 403, 403],
    });
    const email = createAddress();
    const { OWNER, MANAGER, VIEWER } = members;
    const byOwner = await call('POST', path, { token: OWNER.token, body: { email, role: 'MANAGER' } });
    const own = `${path}/${byOwner.body.id}`;
    const { token } = MANAGER;
    t.equal((await call('GET', own, { token })).status, 200, 'a manager reads it');
    for (const [method, url, body] of [
      ['POST', `${own}/resend`, undefined],
      ['DELETE', own, undefined],
      ['POST', path, { email, role: 'VIEWER' }],
    ] as const)
      t.equal((await call(method, url, { token, body })).status, 403, `${method} ${url}`);
    const stranger = await createUser(test);
    for (const [method, url] of [
      ['GET', path],
      ['GET', own],
      ['POST', `${own}/resend`],
      ['DELETE', own],
    ] as const) {
      t.equal((await call(method, url, { token: VIEWER.token })).status, 403);
      t.equal((await call(method, url, { token: stranger.token })).status, 404);
    }
  },
);

t.test('a member is not invited, and an organization that is closed invites nobody', async (t) => {
  const { id, path, members } = await createInvitingOrganization(test, 'OWNER', 'VIEWER');
  const { token } = members.OWNER;
  const invite = (email: string) => call('POST', path, { token, body: { email, role: 'VIEWER' } });
  t.match(await invite(members.VIEWER.email.toUpperCase()), {
    status: 409,
    body: { code: 'ALREADY_MEMBER' },
  });
  for (const data of [{ deleteAfter: new Date(Date.now() + 3_600_000) }, { status: 'SUSPENDED' }]) {
    await database.client.account.update({ where: { id }, data: { deleteAfter: null, ...data } });
    t.match(await invite(createAddress()), { status: 409, body: { code: 'ORGANIZATION_CLOSED' } });
  }
});

t.test('an organization has a bounded number of pending invitations, and of emails a day', async (t) => {
  const { id, path, members } = await createInvitingOrganization(test, 'OWNER');
  const { token, id: invitedBy } = members.OWNER;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const insert = (count: number) =>
    database.client.invitation.createMany({
      data: Array.from({ length: count }, () => ({
        accountId: id,
        id: generateId(),
        email: Buffer.from('x'),
        emailHash: Buffer.from(generateId()),
        tokenHash: Buffer.from(generateId()),
        role: 'VIEWER',
        invitedBy,
        expiresAt,
      })),
    });
  const invite = () => call('POST', path, { token, body: { email: createAddress(), role: 'VIEWER' } });
  await insert(99);
  const answers = await Promise.all([invite(), invite(), invite()]);
  t.same(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
  t.equal(answers.find(({ status }) => status === 409)?.body.code, 'TOO_MANY_INVITATIONS');
  await database.client.invitation.deleteMany({ where: { accountId: id } });
  await database.pool.query(`UPDATE attempt_budgets SET used = 99 WHERE key = 'invitation-mails:${id}'`);
  t.same([(await invite()).status, (await invite()).status], [201, 429]);
});

t.test('invitations are deleted a month after they expired', async (t) => {
  const { id, path, members } = await createInvitingOrganization(test, 'OWNER');
  for (const days of [29, 31]) {
    const body = { email: createAddress(), role: 'VIEWER' };
    const { body: created } = await call('POST', path, {
      token: members.OWNER.token,
      body,
    });
    const expiresAt = new Date(Date.now() - days * 86_400_000);
    await database.client.invitation.updateMany({ where: { id: created.id }, data: { expiresAt } });
  }
  await createCleanUpJob(test.services)({});
  const left = (await call('GET', path, { token: members.OWNER.token })).body.data;
  t.equal(left.length, 1);
  t.match(left[0], { status: 'EXPIRED' });
  t.equal(await database.client.invitation.count({ where: { accountId: id } }), 1);
});

t.test('whoever is erased meanwhile invites nobody', async (t) => {
  const { path, members } = await createInvitingOrganization(test, 'OWNER', 'MANAGER');
  const { id: userId, token } = members.MANAGER;
  const pending = { email: 'late@example.org', role: 'VIEWER' };
  const { body } = await call('POST', path, { token, body: { ...pending, email: 'early@example.org' } });
  const { paused, release, done } = pauseTransaction(test, (tx) =>
    tx.user.update({ where: { id: userId }, data: { status: 'DELETED' } }),
  );
  await paused;
  const requests = Promise.all([
    call('POST', path, { token, body: pending }),
    call('POST', `${path}/${body.id}/resend`, { token }),
  ]);
  await waitForLock(test, requests, 2);
  release();
  await done;
  for (const answer of await requests) t.equal(answer.status, 401, answer.text);
  t.match(await call('GET', path, { token: members.OWNER.token }), {
    body: { data: [{ email: 'early@example.org', sends: 1 }], pagination: { total: 1 } },
  });
});
