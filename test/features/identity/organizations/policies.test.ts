import { HOUR_MS } from '../../../../src/shared/durations.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { isProblem, listMailsTo } from '../accounts/helper.ts';
import { addMember, ageSessions, createOrganizationOf, type TestMember } from './helper.ts';

const test = await startTestApp(t);
const { call, database } = test;
const { client } = database;

async function addSecondFactor({ id: userId }: TestMember): Promise<void> {
  await client.secondFactor.create({
    data: { userId, secret: new Uint8Array([1]), confirmedAt: new Date(), lastStep: 1n },
  });
}

const patch = (path: string, { token }: TestMember, body: object, etag?: string) =>
  call('PATCH', `${path}/policies`, { token, body, ...(etag && { headers: { 'if-match': etag } }) });

const read = (id: string, { token }: TestMember) =>
  call('GET', '/api/qrcodes', { token, headers: { 'account-id': id } });

t.test('an owner with a second factor requires one of all members', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'MANAGER', 'EDITOR');
  const { OWNER, MANAGER, EDITOR } = members;
  const before = await call('GET', `${path}/policies`, { token: OWNER.token });
  t.match(before, {
    status: 200,
    headers: { etag: '"1"' },
    body: {
      secondFactorRequired: false,
      maxSessionHours: null,
      enterpriseMode: false,
      membersWithoutSecondFactor: { count: 3 },
    },
  });
  t.same(
    before.body.membersWithoutSecondFactor.members.map(({ userId }: { userId: string }) => userId).sort(),
    [OWNER.id, MANAGER.id, EDITOR.id].sort(),
  );
  t.notMatch(before.text, EDITOR.email);
  t.equal((await call('GET', `${path}/policies`, { token: MANAGER.token })).status, 200);
  t.ok(isProblem(await call('GET', `${path}/policies`, { token: EDITOR.token }), 403, 'FORBIDDEN'));
  for (const member of [MANAGER, EDITOR])
    t.ok(isProblem(await patch(path, member, { secondFactorRequired: true }), 403, 'FORBIDDEN'));
  const key = await call('POST', '/api/api-keys', {
    token: EDITOR.token,
    headers: { 'account-id': id },
    body: { name: 'Shop', scopes: ['qr-codes:read'] },
  });
  const readByKey = () => call('GET', '/api/qrcodes', { token: key.body.token });
  t.equal((await readByKey()).status, 200);

  const required = { secondFactorRequired: true };
  t.ok(isProblem(await patch(path, OWNER, required), 403, 'MFA_ENROLLMENT_REQUIRED'));
  await addSecondFactor(OWNER);
  t.ok(isProblem(await patch(path, OWNER, required, '"7"'), 412, 'PRECONDITION_FAILED'));
  const changed = await patch(path, OWNER, required, '"1"');
  t.match(changed, {
    status: 200,
    headers: { etag: '"2"' },
    body: { secondFactorRequired: true, membersWithoutSecondFactor: { count: 2 }, version: 2 },
  });
  for (const member of [MANAGER, EDITOR]) {
    t.ok(isProblem(await read(id, member), 403, 'MFA_ENROLLMENT_REQUIRED'));
    t.ok(isProblem(await call('GET', path, { token: member.token }), 403, 'MFA_ENROLLMENT_REQUIRED'));
    const own = await call('GET', '/api/organizations', { token: member.token });
    t.match(own.body.data, [{ id, name: 'Harbor School' }], 'the name of the organization');
    t.equal((await call('GET', '/api/qrcodes', { token: member.token })).status, 200, 'their own account');
    const mails = await listMailsTo(test, member.email);
    const subject = 'Harbor School requires two-factor authentication';
    t.equal(mails.filter((mail) => mail.subject === subject).length, 1);
  }
  t.same(await listMailsTo(test, OWNER.email), []);
  t.ok(isProblem(await readByKey(), 403, 'MFA_ENROLLMENT_REQUIRED'), 'nor by an API key');
  t.equal((await read(id, OWNER)).status, 200);
  await addSecondFactor(EDITOR);
  t.equal((await read(id, EDITOR)).status, 200);
  t.equal((await readByKey()).status, 200);

  t.equal((await patch(path, OWNER, required)).body.version, 2, 'nothing to change');
  t.equal((await patch(path, OWNER, { secondFactorRequired: false })).status, 200);
  t.equal((await read(id, MANAGER)).status, 200);
  const entries = await client.auditEntry.findMany({ where: { action: 'ORGANIZATION_POLICIES_UPDATED' } });
  t.match(
    entries.filter(({ outcome }) => outcome === 'SUCCESS'),
    [{ changes: ['secondFactorRequired'] }, { changes: ['secondFactorRequired'] }],
  );
});

t.test('its mails are few', async (t) => {
  const { path, members } = await createOrganizationOf(test, 'OWNER', 'VIEWER');
  await addSecondFactor(members.OWNER);
  const toggle = async (secondFactorRequired: boolean) =>
    (await patch(path, members.OWNER, { secondFactorRequired })).status;
  for (let times = 0; times < 3; times += 1) {
    t.equal(await toggle(true), 200);
    t.equal(await toggle(false), 200);
  }
  t.equal(await toggle(true), 429);
  t.equal((await listMailsTo(test, members.VIEWER.email)).length, 3);
});

t.test(
  'members log in again for an organization that limits sessions, not for their own account',
  async (t) => {
    const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
    const { OWNER, EDITOR } = members;
    for (const maxSessionHours of [0, 721, 1.5, 'x'])
      t.equal((await patch(path, OWNER, { maxSessionHours })).status, 400, String(maxSessionHours));
    t.match(await patch(path, OWNER, { maxSessionHours: 1 }), { status: 200, body: { maxSessionHours: 1 } });
    const key = await call('POST', '/api/api-keys', {
      token: EDITOR.token,
      headers: { 'account-id': id },
      body: { name: 'Shop', scopes: ['qr-codes:read'] },
    });
    t.equal((await read(id, EDITOR)).status, 200);
    const createdAt = new Date(Date.now() - 2 * HOUR_MS);
    await client.session.updateMany({
      where: { userId: { in: [OWNER.id, EDITOR.id] } },
      data: { createdAt },
    });
    t.ok(isProblem(await read(id, EDITOR), 403, 'REAUTHENTICATION_REQUIRED'));
    for (const url of [path, `${path}/members`, `${path}/invitations`, `${path}/policies`])
      t.ok(isProblem(await call('GET', url, { token: OWNER.token }), 403, 'REAUTHENTICATION_REQUIRED'), url);
    t.ok(isProblem(await patch(path, OWNER, { maxSessionHours: null }), 403, 'REAUTHENTICATION_REQUIRED'));
    t.equal((await call('GET', '/api/qrcodes', { token: EDITOR.token })).status, 200);
    t.match((await call('GET', '/api/organizations', { token: EDITOR.token })).body.data, [{ id }]);
    t.equal(
      (await call('GET', '/api/qrcodes', { token: key.body.token })).status,
      200,
      'a key has no session',
    );
    const later = await addMember(test, id, 'VIEWER');
    t.equal((await read(id, later)).status, 200, 'a newer login');
    await client.session.updateMany({ where: { userId: OWNER.id }, data: { createdAt: new Date() } });
    t.match(await patch(path, OWNER, { maxSessionHours: null }), { body: { maxSessionHours: null } });
    t.equal((await read(id, EDITOR)).status, 200);
  },
);

t.test('what an organization requires is changed soon after a login', async (t) => {
  const { path, members } = await createOrganizationOf(test, 'OWNER');
  await ageSessions(test, members.OWNER);
  t.ok(isProblem(await patch(path, members.OWNER, { maxSessionHours: 8 }), 403, 'REAUTHENTICATION_REQUIRED'));
});
