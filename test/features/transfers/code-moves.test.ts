import { cleanUpCodeMoves } from '../../../src/features/transfers/clean-up-code-moves.use-case.ts';
import { createMoveCodesJob, MOVE_CODES_QUEUE } from '../../../src/features/transfers/move-codes.job.ts';
import type { Tx } from '../../../src/platform/database.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, type TestUser } from '../../helper.ts';
import { insertMembership, insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { createTestCode } from '../codes/code-helper.ts';

const test = await startTestApp(t);
const { call, createUser, database, services } = test;
await setPackageLimit(test, 'FREE', { qrCodes: null });
const owner = await createUser();
const token = owner.accessToken;

const createOrganization = (user: TestUser = owner) =>
  insertOrganization(test, { members: [{ userId: user.id, role: 'OWNER' }] });
const request = (body: object, user: TestUser = owner) =>
  call('POST', '/api/code-moves', { token: user.accessToken, body });
const read = async (id: string) => (await call('GET', `/api/code-moves/${id}`, { token })).body;

async function run(move: { id: string; fromAccountId: string }, maxRunMs?: number, changed = services) {
  const payload = { accountId: move.fromAccountId, codeMoveId: move.id };
  await createMoveCodesJob(changed, maxRunMs)(payload);
}

async function listCodes(accountId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM qr_codes WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  return rows.map(({ id }) => id);
}

t.test('an owner moves chosen codes to an organization, then the rest', async (t) => {
  const user = await createUser();
  const codes = [await createTestCode(test, user), await createTestCode(test, user)];
  const rest = await createTestCode(test, user);
  const toAccountId = await createOrganization(user);
  const ids = codes.map(({ id }) => id).toSorted();
  const made = await request({ toAccountId, ids: ids.toReversed() }, user);
  t.match(made, {
    status: 202,
    body: { fromAccountId: user.id, toAccountId, status: 'WAITING', codes: 2, moved: 0 },
  });
  t.equal(made.headers.location, `/api/code-moves/${made.body.id}`);
  await run(made.body);
  t.same(await listCodes(toAccountId), ids);
  t.same(await listCodes(user.id), [rest.id]);
  const done = await call('GET', `/api/code-moves/${made.body.id}`, { token: user.accessToken });
  t.match(done.body, { status: 'COMPLETED', moved: 2, leftOut: [], failure: null });
  const headers = { 'account-id': toAccountId };
  t.equal((await call('GET', `/api/qrcodes/${ids[0]}`, { token: user.accessToken, headers })).status, 200);

  const all = await request({ toAccountId }, user);
  t.equal(all.body.codes, 1);
  await run(all.body);
  t.same(await listCodes(user.id), [], 'the personal account is empty');
  const back = await request({ fromAccountId: toAccountId, toAccountId: user.id }, user);
  await run(back.body);
  t.equal((await listCodes(user.id)).length, 3, 'and back');
  const list = await call('GET', '/api/code-moves', { token: user.accessToken });
  t.equal(list.body.pagination.total, 3);
  t.equal((await read(back.body.id)).code, 'NOT_FOUND', 'moves of others are not found');
});

t.test('a killed job is gone on with, and no code is moved twice', async (t) => {
  const toAccountId = await createOrganization();
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) ids.push((await createTestCode(test, owner)).id);
  const { body } = await request({ toAccountId, ids });
  let transactions = 0;
  const killed = {
    ...services,
    database: {
      ...database,
      transaction: <Result>(work: (tx: Tx) => Promise<Result>) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          transactions += 1;
          if (transactions === 4) throw new Error('killed');
          return result;
        }),
    },
  };
  await t.rejects(run(body, undefined, killed), { message: 'killed' });
  const { moved } = await read(body.id);
  t.ok(moved > 0 && moved < ids.length, `${moved} before`);
  t.equal((await listCodes(toAccountId)).length, moved, 'progress and codes agree');
  await Promise.all([run(body), run(body)]);
  t.match(await read(body.id), { status: 'COMPLETED', moved: 4 });
  t.same(await listCodes(toAccountId), ids.toSorted());
});

t.test('a long move goes on in another job', async (t) => {
  const toAccountId = await createOrganization();
  const ids = [(await createTestCode(test, owner)).id, (await createTestCode(test, owner)).id];
  const { body } = await request({ toAccountId, ids });
  await run(body, 0);
  t.match(await read(body.id), { status: 'WAITING', moved: 1 });
  t.ok((await services.jobs.findPending(MOVE_CODES_QUEUE, 'codeMoveId', [body.id])).has(body.id));
  await run(body);
  t.match(await read(body.id), { status: 'COMPLETED', moved: 2 });
});

t.test('codes that cannot go stay, and the others go', async (t) => {
  const toAccountId = await createOrganization();
  const headers = { 'account-id': toAccountId };
  const externalId = generateId();
  await call('POST', '/api/qrcodes', {
    token,
    headers,
    body: { kind: 'PET', title: 'Ada', data: { name: 'Ada' }, externalId },
  });
  const taken = await createTestCode(test, owner, { externalId });
  const free = await createTestCode(test, owner);
  const absent = generateId();
  const unclaimed = await createTestCode(test, owner);
  await test.database.client.qrCode.update({ where: { id: unclaimed.id }, data: { status: 'UNCLAIMED' } });
  const { body } = await request({ toAccountId, ids: [taken.id, free.id, absent, unclaimed.id] });
  await run(body);
  const done = await read(body.id);
  t.match(done, { status: 'COMPLETED', moved: 1 });
  t.same(
    new Set(done.leftOut.map(({ id, code }: { id: string; code: string }) => `${id} ${code}`)),
    new Set([`${taken.id} EXTERNAL_ID_TAKEN`, `${absent} NOT_FOUND`, `${unclaimed.id} TAG_UNCLAIMED`]),
  );
  await test.database.client.qrCode.delete({ where: { id: unclaimed.id } });
  t.ok((await listCodes(toAccountId)).includes(free.id));
});

t.test('a move ends where the package or the role ends it', async (t) => {
  const toAccountId = await createOrganization();
  const ids = [(await createTestCode(test, owner)).id, (await createTestCode(test, owner)).id];
  const limited = (await request({ toAccountId, ids })).body;
  await setPackageLimit(test, 'FREE', { qrCodes: 1 });
  await run(limited);
  await setPackageLimit(test, 'FREE', { qrCodes: null });
  t.match(await read(limited.id), { status: 'FAILED', failure: 'PLAN_LIMIT_REACHED', moved: 1 });

  const other = await createUser();
  const foreign = await createOrganization(other);
  await insertMembership(test, foreign, { userId: owner.id, role: 'EDITOR' });
  const asEditor = (await request({ toAccountId: foreign, ids })).body;
  await database.pool.query("UPDATE memberships SET role = 'VIEWER' WHERE account_id = $1 AND user_id = $2", [
    foreign,
    owner.id,
  ]);
  await run(asEditor);
  t.match(await read(asEditor.id), { status: 'FAILED', failure: 'FORBIDDEN', moved: 0 });
  t.same(await listCodes(foreign), []);
});

t.test('only owners move codes away, only to accounts where they may create codes', async (t) => {
  const other = await createUser();
  const foreign = await createOrganization(other);
  const own = await createOrganization();
  t.match(await request({ toAccountId: foreign }), { status: 404 });
  t.match(await request({ fromAccountId: foreign, toAccountId: own }), { status: 404 });
  t.match(await request({ toAccountId: generateId() }), { status: 404 });
  t.match(await request({ toAccountId: owner.id }), { status: 400 });
  await insertMembership(test, foreign, { userId: owner.id, role: 'MANAGER' });
  t.match(await request({ fromAccountId: foreign, toAccountId: own }), { status: 403 });
  t.match(await request({ toAccountId: foreign, ids: [generateId()] }), { status: 202 });
  await database.pool.query("UPDATE accounts SET delete_after = now() + interval '1 day' WHERE id = $1", [
    own,
  ]);
  t.match(await request({ toAccountId: own }), { status: 409, body: { code: 'ORGANIZATION_CLOSED' } });
});

t.test('a member who is limited to folders moves no codes into the organization', async (t) => {
  const toAccountId = await createOrganization(await createUser());
  await insertMembership(test, toAccountId, { userId: owner.id, role: 'EDITOR' });
  const { id } = await createTestCode(test, owner);
  const waiting = (await request({ toAccountId, ids: [id] })).body;
  await database.client.membership.updateMany({
    where: { accountId: toAccountId, userId: owner.id },
    data: { limitedToFolders: true },
  });
  t.match(await request({ toAccountId, ids: [id] }), { status: 403, body: { code: 'FORBIDDEN' } });
  await run(waiting);
  t.match(await read(waiting.id), { status: 'FAILED', failure: 'FORBIDDEN', moved: 0 });
  t.same(await listCodes(toAccountId), []);
});

t.test('codes of a suspended user stay', async (t) => {
  const user = await createUser();
  const toAccountId = await createOrganization(user);
  const ids = [(await createTestCode(test, user)).id, (await createTestCode(test, user)).id].toSorted();
  const { body } = await request({ toAccountId, ids }, user);
  await run(body, 0);
  await database.client.user.update({ where: { id: user.id }, data: { status: 'SUSPENDED' } });
  await run(body);
  const row = await database.client.codeMove.findFirstOrThrow({ where: { id: body.id } });
  t.match(row, { status: 'FAILED', failure: 'ACCOUNT_SUSPENDED', moved: 1 });
  t.same(await listCodes(user.id), ids.slice(1));
});

t.test('a session is as young as both accounts want it', async (t) => {
  const user = await createUser();
  const strict = await createOrganization(user);
  const other = await createOrganization(user);
  await database.client.account.update({ where: { id: strict }, data: { maxSessionHours: 1 } });
  const createdAt = new Date(Date.now() - 2 * 3_600_000);
  await database.client.session.updateMany({ where: { userId: user.id }, data: { createdAt } });
  const refused = { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } };
  t.match(await request({ toAccountId: strict }, user), refused);
  t.match(await request({ fromAccountId: strict, toAccountId: other }, user), refused);
  t.match(await request({ toAccountId: other }, user), { status: 202 });
});

t.test('codes leave an organization soon after a login', async (t) => {
  const user = await createUser();
  const own = await createOrganization(user);
  const createdAt = new Date(Date.now() - 3_600_000);
  await database.client.session.updateMany({ where: { userId: user.id }, data: { createdAt } });
  t.match(await request({ fromAccountId: own, toAccountId: user.id }, user), {
    status: 403,
    body: { code: 'REAUTHENTICATION_REQUIRED' },
  });
  t.match(await request({ toAccountId: own }, user), { status: 202 });
});

t.test('three moves wait at a time; one whose job is lost has failed', async (t) => {
  const user = await createUser();
  const toAccountId = await createOrganization(user);
  await services.jobs.stop();
  const made = [];
  for (let index = 0; index < 3; index += 1)
    made.push(await request({ toAccountId, ids: [generateId()] }, user));
  t.match(await request({ toAccountId, ids: [generateId()] }, user), {
    status: 409,
    body: { code: 'TOO_MANY_CODE_MOVES' },
  });
  await database.pool.query("DELETE FROM pgboss.job WHERE name = 'move-codes'");
  await cleanUpCodeMoves(services);
  const { body } = await call('GET', '/api/code-moves', { token: user.accessToken });
  t.same(
    body.data.map(({ status }: { status: string }) => status),
    ['FAILED', 'FAILED', 'FAILED'],
  );
  await database.pool.query('UPDATE code_moves SET expires_at = now()');
  await cleanUpCodeMoves(services);
  t.equal((await database.pool.query('SELECT FROM code_moves')).rowCount, 0);
});
