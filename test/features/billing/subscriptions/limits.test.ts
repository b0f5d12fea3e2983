import { startTestApp, type TestResponse } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  addSubscription,
  cancelTestSubscription,
  insertCodes,
  setPackageLimit,
} from './subscription-helper.ts';

const tally = (answers: readonly TestResponse[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status === 201 || status === 200 ? String(status) : String(body.code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

/** Retry while the service is busy. */
async function retryWhileBusy(send: () => Promise<TestResponse>): Promise<TestResponse> {
  const answer = await send();
  return answer.status === 503 ? retryWhileBusy(send) : answer;
}

const times = <Result>(count: number, work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

t.test('limits', async (t) => {
  const app = await startTestApp(t, { DATABASE_POOL_SIZE: '20' });
  const { call, createUser, database } = app;
  await setPackageLimit(app, 'FREE', { qrCodes: 10, memoryTags: 10 });
  const text = { kind: 'TEXT', title: 'mine', data: { text: 'a' } };

  await t.test('100 parallel requests at a limit of 10 create exactly 10', async (t) => {
    const { id: accountId, accessToken: token } = await createUser();
    const codes = await times(100, () =>
      retryWhileBusy(() => call('POST', '/api/qrcodes', { token, body: text })),
    );
    t.same(tally(codes), { 201: 10, PLAN_LIMIT_REACHED: 90 });
    t.equal(await database.client.qrCode.count({ where: { accountId } }), 10);
    const tags = await times(100, () =>
      retryWhileBusy(() => call('POST', '/api/memory-tags', { token, body: { name: 'Rex' } })),
    );
    t.same(tally(tags), { 201: 10, PLAN_LIMIT_REACHED: 90 });
    t.equal(await database.client.memoryTag.count({ where: { accountId } }), 10);
    const personal = await database.client.subscriptionPackage.findUnique({ where: { code: 'PERSONAL' } });
    const refused = codes.find(({ status }) => status === 403);
    t.match(refused?.body, {
      limit: 'qrCodes',
      used: 10,
      allowed: 10,
      largerPackage: { id: personal?.id, code: 'PERSONAL' },
    });
    const detail = tags.find(({ status }) => status === 403)?.body.detail;
    t.equal(detail, 'The package allows 10 memory tags.');
  });

  await t.test('replays responses from before packages existed as editable', async (t) => {
    const { id: who, accessToken: token } = await createUser();
    const { fieldCipher } = app.services;
    for (const [path, body] of [
      ['/api/qrcodes', text],
      ['/api/memory-tags', { name: 'Rex' }],
    ] as const) {
      const headers = { 'idempotency-key': 'before-packages-01' };
      const make = () => call('POST', path, { token, body, headers });
      const { body: made } = await make();
      const row = await database.client.idempotencyKey.findFirstOrThrow({
        where: { requester: who },
        orderBy: { id: 'desc' },
      });
      const place = { table: 'idempotency_keys', column: 'response', rowId: row.id, ownerId: who };
      const { readOnly: _unknown, ...before } = made;
      const location = `${path}/${made.id}`;
      await database.client.idempotencyKey.updateMany({
        where: { id: row.id },
        data: { response: fieldCipher.encrypt(place, { body: before, location }) },
      });
      const again = await make();
      t.same([again.status, again.body], [201, { ...made, readOnly: false }], again.text);
    }
  });

  await t.test('concurrent restores and creations stay within the limit', async (t) => {
    const { id: accountId, accessToken: token } = await createUser();
    await setPackageLimit(app, 'FREE', { qrCodes: 16 });
    const made = await times(16, () => call('POST', '/api/qrcodes', { token, body: text }));
    const deleted = made.slice(0, 12).map(({ body }) => body.id);
    for (const id of deleted) await call('DELETE', `/api/qrcodes/${id}`, { token });
    await setPackageLimit(app, 'FREE', { qrCodes: 10 });
    const answers = await Promise.all([
      times(12, (n) => retryWhileBusy(() => call('POST', `/api/qrcodes/${deleted[n]}/restore`, { token }))),
      times(12, () => retryWhileBusy(() => call('POST', '/api/qrcodes', { token, body: text }))),
    ]);
    const { 200: back = 0, 201: others = 0, ...refused } = tally(answers.flat());
    t.same(refused, { PLAN_LIMIT_REACHED: 18 });
    t.equal(back + others, 6);
    t.equal(await database.client.qrCode.count({ where: { accountId, status: { not: 'DELETED' } } }), 10);
  });

  await t.test('applies the purchased version, whatever is offered since', async (t) => {
    const { id: accountId, accessToken: token } = await createUser();
    await setPackageLimit(app, 'PERSONAL', { qrCodes: 12 });
    await addSubscription(app, accountId, 'PERSONAL');
    await insertCodes(app, accountId, 249);
    const first = await call('POST', '/api/qrcodes', { token, body: text });
    t.equal(first.status, 201, first.text);
    const second = await call('POST', '/api/qrcodes', { token, body: text });
    t.match(second.body, { used: 250, allowed: 250, largerPackage: { code: 'FAMILY' } });
    await setPackageLimit(app, 'PERSONAL', { qrCodes: 250 });
  });

  await t.test('suggests only a larger package on offer', async (t) => {
    const { id: accountId, accessToken: token } = await createUser();
    const subscription = await addSubscription(app, accountId, 'BUSINESS');
    await insertCodes(app, accountId, 20_000);
    const larger = async () => (await call('POST', '/api/qrcodes', { token, body: text })).body.largerPackage;
    t.equal((await larger()).code, 'ENTERPRISE');
    const offer = (onOffer: boolean) =>
      database.client.subscriptionPackage.update({ where: { code: 'ENTERPRISE' }, data: { onOffer } });
    await offer(false);
    t.equal(await larger(), null);
    await offer(true);
    await cancelTestSubscription(app, subscription);
    t.equal((await larger()).code, 'PERSONAL');
  });
});

t.test('there are no limits without billing', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const { call, createUser } = app;
  await setPackageLimit(app, 'FREE', { qrCodes: 0, memoryTags: 0 });
  const { id: accountId, accessToken: token } = await createUser();
  await insertCodes(app, accountId, 3);
  const body = { name: 'Rex' };
  const tag = await call('POST', '/api/memory-tags', { token, body });
  t.equal(tag.status, 201, tag.text);
  t.equal((await call('GET', `/api/memory-tags/${tag.body.id}`, { token })).body.readOnly, false);
  const code = await call('POST', '/api/qrcodes', {
    token,
    body: { kind: 'TEXT', title: 'mine', data: { text: 'a' } },
  });
  t.match(code.body, { readOnly: false });
  const { body: me } = await call('GET', '/api/auth/me', { token });
  t.match(me.package, { id: /^[0-9a-f]{24}$/, code: 'SELF_HOSTED', name: 'Self-hosted' });
  t.same(me.limits, {
    qrCodes: null,
    memoryTags: null,
    documents: null,
    members: null,
    storageBytes: null,
    scansKeptDays: null,
  });
  t.same(me.usage, { qrCodes: 4, memoryTags: 1, documents: 0, members: 1, storageBytes: 0 });
  const german = { 'accept-language': 'de' };
  const status = await call('GET', '/api/subscription/status', { token, headers: german });
  t.equal(status.body.package.name, 'Selbst betrieben');
  t.same((await call('GET', '/api/subscription/status', { token })).body.package, me.package);
  const offers = await call('GET', '/api/subscription/all', { token });
  t.same([offers.status, offers.body.data, offers.body.pagination.total], [200, [], 0]);
});
