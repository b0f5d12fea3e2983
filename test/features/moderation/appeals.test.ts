import { createCleanUpJob } from '../../../src/platform/clean-up.job.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { startModeration } from './helper.ts';

const LIST = '/api/admin/qrcode-appeals';

t.test('the owner appeals once at a time, and an administrator decides', async (t) => {
  const test = await startModeration(t);
  const { call, code, as, owner, createUser, takeDown, appeal, decide, readTakedown, database } = test;
  const id = await code();
  t.ok(isProblem(await appeal(id), 409, 'CODE_NOT_TAKEN_DOWN'));
  await takeDown(id);
  const stranger = { token: (await createUser()).accessToken };
  t.equal((await appeal(id, 'Mine!', stranger)).status, 404);
  t.equal((await appeal(id, ' \n ')).status, 400);
  t.equal((await appeal(id, 'x'.repeat(2_001))).status, 400);

  const five = await Promise.all(Array.from({ length: 5 }, () => appeal(id, ' canary words ')));
  t.same(five.map(({ status }) => status).sort(), [201, 409, 409, 409, 409], 'one of five at once');
  t.ok(five.some((answer) => answer.body.code === 'APPEAL_ALREADY_OPEN'));
  const stored = await database.client.qrCodeAppeal.findFirstOrThrow();
  t.notOk(Buffer.from(stored.message).includes('canary'), 'encrypted');
  t.match((await readTakedown(id)).body.appeals, [
    { message: 'canary words', decision: null, answer: null, decidedAt: null },
  ]);

  const entries = await captureAuditEntries(test, async () => {
    const list = await call('GET', `${LIST}?status=OPEN`, as.root);
    t.match(list.body, {
      data: [{ id: stored.id, qrCodeId: id, accountId: owner.id, category: 'FRAUD', status: 'OPEN' }],
      pagination: { total: 1 },
    });
    t.notMatch(list.text, 'canary');
    const read = await call('GET', `${LIST}/${stored.id}`, as.root);
    t.match(read.body, {
      message: 'canary words',
      answer: null,
      takedown: { reason: 'It asks for bank data.' },
    });
  });
  t.match(entries, [{ action: 'QRCODE_APPEALS_LISTED' }, { action: 'QRCODE_APPEAL_READ', resourceId: id }]);
  t.equal((await decide(stored.id, { decision: 'MAYBE' })).status, 400);

  const both = await Promise.all([
    decide(stored.id, { decision: 'REJECTED', answer: 'No.' }),
    decide(stored.id, { decision: 'REINSTATED', answer: 'Yes.' }, as.second),
  ]);
  t.same(both.map(({ status }) => status).sort(), [200, 409], 'of two administrators at once one decides');
  t.ok(both.some((answer) => answer.body.code === 'APPEAL_ALREADY_DECIDED'));
  const winner = both.find(({ status }) => status === 200)?.body.decision;
  const current = (await readTakedown(id)).body;
  t.equal(current.appeals[0].decision, winner);
  t.equal(current.endedAt !== null, winner === 'REINSTATED');
  t.equal((await call('GET', `/s/${id}`)).status, winner === 'REINSTATED' ? 200 : 410);
  t.equal((await call('GET', `${LIST}?status=DECIDED`, as.root)).body.pagination.total, 1);
  t.equal((await decide('0'.repeat(24), { decision: 'REJECTED' })).status, 404);
});

t.test('appeals are limited for each takedown, and a reinstatement decides an open one', async (t) => {
  const test = await startModeration(t);
  const { code, takeDown, reinstate, appeal, decide, readTakedown } = test;
  const [id, other] = [await code(), await code()];
  for (const one of [id, other]) await takeDown(one);
  for (let count = 0; count < 3; count++) {
    const made = await appeal(id);
    t.equal(made.status, 201, made.text);
    const entries = await captureAuditEntries(test, () =>
      decide(made.body.appeals[0].id, { decision: 'REJECTED' }),
    );
    t.match(entries, [{ action: 'QRCODE_APPEAL_REJECTED', resourceId: id, severity: 'HIGH' }]);
  }
  const refused = await appeal(id);
  t.ok(isProblem(refused, 429, 'RATE_LIMITED'));
  t.ok(Number(refused.headers['retry-after']) > 0);
  t.equal((await appeal(other)).status, 201, 'another takedown has its own');
  await reinstate(other, { answer: 'Sorry.' });
  t.match((await readTakedown(other)).body.appeals, [{ decision: 'REINSTATED', answer: 'Sorry.' }]);
});

t.test('a takedown is deleted with its appeals 180 days after its end', async (t) => {
  const { code, takeDown, reinstate, appeal, database, services } = await startModeration(t);
  const [current, recent, old, purged] = [await code(), await code(), await code(), await code()];
  for (const id of [current, recent, old, purged]) {
    await takeDown(id);
    await appeal(id);
  }
  for (const id of [recent, old]) await reinstate(id);
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  const { client } = database;
  await client.qrCodeTakedown.updateMany({ data: { createdAt: daysAgo(400) } });
  await client.qrCodeTakedown.updateMany({ where: { qrCodeId: old }, data: { endedAt: daysAgo(181) } });
  await client.qrCodeTakedown.updateMany({ where: { qrCodeId: recent }, data: { endedAt: daysAgo(179) } });
  await client.qrCode.update({
    where: { id: purged },
    data: { status: 'DELETED', deletedAt: daysAgo(181), data: null, imageFile: null },
  });
  await createCleanUpJob(services)({});
  const left = await client.qrCodeTakedown.findMany({ orderBy: { id: 'asc' } });
  t.same(left.map(({ qrCodeId }) => qrCodeId).sort(), [current, recent].sort());
  t.equal(await client.qrCodeAppeal.count(), 2);
});
