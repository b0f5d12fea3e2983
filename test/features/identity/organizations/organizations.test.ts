import type { Prisma } from '../../../../src/generated/prisma/client.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { createSessionToken } from '../../../access/callers.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { findOtpInMail, listMailsCausedBy } from '../accounts/helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';

const URL = '/api/organizations';
const test = await startTestApp(t);
const { call, database } = test;

async function createUser(status: 'ACTIVE' | 'VERIFIED' = 'ACTIVE') {
  const [id, email] = [generateId(), `${generateId()}@example.org`];
  const names = status === 'ACTIVE' && { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await database.client.user.create({
    data: { id, email, status, language: 'de', timeZone: 'Europe/Berlin', ...names },
  });
  return { id, email, token: (await createSessionToken(test, { id, email })).token };
}

async function addMember(accountId: string, role: string) {
  const user = await createUser();
  await database.client.membership.create({ data: { accountId, userId: user.id, role } });
  return user;
}

t.test('who creates an organization owns it, and finds it among their accounts', async (t) => {
  const { id, token } = await createUser();
  const created = await call('POST', URL, { token, body: { name: 'Animal Shelter' } });
  t.equal(created.status, 201, created.text);
  const { body } = created;
  t.match(body, {
    name: 'Animal Shelter',
    status: 'ACTIVE',
    role: 'OWNER',
    language: 'de',
    timeZone: 'Europe/Berlin',
    version: 1,
  });
  t.equal(created.headers.location, `${URL}/${body.id}`);
  t.same((await call('GET', `${URL}/${body.id}`, { token })).body, body);
  t.same((await call('GET', `${URL}?page=1`, { token })).body.data, [body]);
  const me = await call('GET', '/api/auth/me', { token });
  t.same(me.body.accounts, [
    { id, type: 'PERSONAL', name: null, role: 'OWNER' },
    { id: body.id, type: 'ORGANIZATION', name: 'Animal Shelter', role: 'OWNER' },
  ]);
});

t.test('an organization is created once for one Idempotency-Key', async (t) => {
  const { token } = await createUser();
  const request = { token, body: { name: 'Once' }, headers: { 'idempotency-key': generateId() } };
  const [first, second] = [await call('POST', URL, request), await call('POST', URL, request)];
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.same(second.body, first.body);
  t.equal((await call('GET', URL, { token })).body.data.length, 1);
});

t.test('a user owns a bounded number of organizations', async (t) => {
  const { id, token } = await createUser();
  for (let index = 0; index < 9; index += 1)
    await call('POST', URL, { token, body: { name: `No. ${index}` } });
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', URL, { token, body: { name: 'Last' } })),
  );
  const refused = answers.filter(({ body }) => body.code === 'TOO_MANY_ORGANIZATIONS');
  t.same([answers.length - refused.length, refused.length], [1, 3]);
  t.equal(await database.client.membership.count({ where: { userId: id } }), 11);
});

/** Create an organization whose creator is changed by a transaction that it waits for. */
async function createDuring({ id, token }: { id: string; token: string }, change: Prisma.UserUpdateInput) {
  const { paused, release, done } = pauseTransaction(test, (tx) =>
    tx.user.update({ where: { id }, data: change }),
  );
  await paused;
  const creating = call('POST', URL, { token, body: { name: 'Clinic' } });
  await waitForLock(test, creating);
  release();
  await done;
  return creating;
}

t.test('an organization has the enterprise mode of its creator from the start', async (t) => {
  const { status, body } = await createDuring(await createUser(), { enterpriseMode: true });
  t.equal(status, 201);
  t.match(await database.client.account.findUniqueOrThrow({ where: { id: body.id } }), {
    enterpriseMode: true,
  });
});

t.test('a user who is erased meanwhile does not become an owner', async (t) => {
  const user = await createUser();
  const created = await createDuring(user, { status: 'DELETED' });
  t.match(created, { status: 401, body: { code: 'UNAUTHENTICATED' } });
  t.equal(
    await database.client.membership.count({ where: { userId: user.id } }),
    1,
    'only the personal account',
  );
});

t.test('owners change an organization by the version they have read; other members read it', async (t) => {
  const { token } = await createUser();
  const { body: before } = await call('POST', URL, { token, body: { name: 'Before' } });
  const path = `${URL}/${before.id}`;
  const change = { name: 'After', timeZone: 'Europe/Lisbon' };
  const changed = await call('PATCH', path, { token, body: change, headers: { 'if-match': '"1"' } });
  t.match(changed.body, { ...before, ...change, version: 2, updatedAt: /./ });
  t.equal((await call('PATCH', path, { token, body: change })).body.version, 2, 'nothing changed');
  const stale = await call('PATCH', path, { token, body: { name: 'X' }, headers: { 'if-match': '"1"' } });
  t.equal(stale.status, 412, stale.text);
  for (const role of ['MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING']) {
    const member = await addMember(before.id, role);
    t.match((await call('GET', path, { token: member.token })).body, { name: 'After', role });
    const refused = await call('PATCH', path, { token: member.token, body: { name: 'Mine' } });
    t.match(refused, { status: 403, body: { code: 'FORBIDDEN' } }, role);
  }
});

t.test('a stranger, a former member and a suspended user find no organization', async (t) => {
  const { token } = await createUser();
  const { body } = await call('POST', URL, { token, body: { name: 'Closed' } });
  const stranger = await createUser();
  const former = await addMember(body.id, 'OWNER');
  await database.client.membership.deleteMany({ where: { userId: former.id, accountId: body.id } });
  for (const caller of [stranger, former]) {
    t.equal((await call('GET', `${URL}/${body.id}`, { token: caller.token })).status, 404);
    const change = { token: caller.token, body: { name: 'Mine' } };
    t.equal((await call('PATCH', `${URL}/${body.id}`, change)).status, 404);
    t.same((await call('GET', URL, { token: caller.token })).body.data, []);
  }
  const own = { token: stranger.token, body: { name: 'Mine' } };
  t.equal((await call('PATCH', `${URL}/${stranger.id}`, own)).status, 404, 'a personal account is none');
});

t.test('a profile of an organization creates it', async (t) => {
  const { token } = await createUser('VERIFIED');
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'ORGANIZATION' };
  const created = await call('POST', '/api/auth/create-profile', {
    token,
    body: { ...profile, organizationName: 'Night School' },
  });
  t.equal(created.status, 201, created.text);
  const { data } = (await call('GET', URL, { token })).body;
  t.match(data, [{ id: created.body.organizationId, name: 'Night School', role: 'OWNER', language: 'de' }]);
  const individual = await createUser('VERIFIED');
  const other = await call('POST', '/api/auth/create-profile', {
    token: individual.token,
    body: { ...profile, accountType: 'INDIVIDUAL', organizationName: 'Employer' },
  });
  t.equal(other.body.organizationId, null);
});

t.test('a registration with the whole profile creates it; completing the profile renames it', async (t) => {
  const email = `${generateId()}@example.org`;
  const names = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    accountType: 'ORGANIZATION',
    organizationName: 'Zoo',
  };
  const registration = { body: { email, password: TEST_PASSWORD, ...names } };
  const [mail] = await listMailsCausedBy(test, email, () => call('POST', '/api/auth/register', registration));
  const otp = findOtpInMail(mail);
  const verified = await call('POST', '/api/auth/verify-otp', {
    body: { email, otp, password: TEST_PASSWORD },
  });
  const token = verified.body.accessToken;
  const { data } = (await call('GET', URL, { token })).body;
  t.match(data, [{ name: 'Zoo', role: 'OWNER' }]);
  const body = { ...names, organizationName: 'City Zoo' };
  const completed = await call('POST', '/api/auth/create-profile', { token, body });
  t.equal(completed.body.organizationId, data[0].id, completed.text);
  const { reference } = await database.client.auditActor.findUniqueOrThrow({ where: { userId: data[0].id } });
  const where = { resourceId: reference, action: 'ORGANIZATION_UPDATED' };
  const entries = await database.client.auditEntry.findMany({ where });
  t.match(entries, [{ resourceType: 'ORGANIZATION', changes: ['name'] }], 'its own trail has the change');
  t.match((await call('GET', URL, { token })).body.data, [{ id: data[0].id, name: 'City Zoo' }]);
});
