import { generateId } from '../../src/shared/ids.ts';
import { createTestPdf, uploadDocument } from '../features/documents/upload.ts';
import { signInBrowser } from '../features/owner-pages/signed-in-browser.ts';
import { startTestApp } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { t } from '../tap.ts';

const CODE = { kind: 'TEXT', title: 'Notice board', data: { text: 'Closed on Monday.' } };

t.test('what a member creates for an organization belongs to it, and is not among their own', async (t) => {
  const test = await startTestApp(t);
  const [ada, bob] = [await test.createUser(), await test.createUser()];
  const school = await insertOrganization(test, {
    members: [
      { userId: ada.id, role: 'EDITOR' },
      { userId: bob.id, role: 'OWNER' },
    ],
  });
  const as = (token: string, accountId?: string) => ({
    token,
    ...(accountId && { headers: { 'account-id': accountId } }),
  });
  const create = async (url: string, body: object) => {
    const answer = await test.call('POST', url, { ...as(ada.accessToken, school), body });
    t.equal(answer.status, 201, answer.text);
    t.equal(answer.body.accountId ?? school, school, url);
    return answer.body.id;
  };
  const lists: [string, string][] = [
    ['/api/qrcodes', await create('/api/qrcodes', CODE)],
    ['/api/memory-tags', await create('/api/memory-tags', { name: 'Grandfather' })],
    ['/api/folders', await create('/api/folders', { name: 'Lost' })],
    ['/api/saved-views', await create('/api/saved-views', { name: 'Lost', query: { status: 'LOST' } })],
  ];
  for (const [url, id] of lists) {
    const read = async (options: object) =>
      (await test.call('GET', url, options)).body.data.map((record: { id: string }) => record.id);
    t.same(await read(as(ada.accessToken, school)), [id], url);
    t.same(await read(as(bob.accessToken, school)), [id], `${url} of another member`);
    for (const user of [ada, bob]) t.same(await read(as(user.accessToken)), [], `${url} of a user`);
  }
  const [[, codeId] = []] = lists;
  for (const url of [
    `/api/qrcodes/${codeId}`,
    `/api/qrcodes/${codeId}/history`,
    `/api/qrcodes/${codeId}/image`,
  ]) {
    t.equal((await test.call('GET', url, as(bob.accessToken, school))).status, 200, url);
    t.equal((await test.call('GET', url, as(bob.accessToken))).status, 404, url);
  }
  const { body: history } = await test.call(
    'GET',
    `/api/qrcodes/${codeId}/history`,
    as(bob.accessToken, school),
  );
  t.match(history.data, [{ action: 'CREATED', who: 'OWNER' }], 'every member counts as the owner');
  const browser = await signInBrowser(test, bob);
  t.match((await browser.open(`/app/${school}/codes`)).text, 'Notice board');
  t.notMatch((await browser.open(`/app/${bob.id}/codes`)).text, 'Notice board');
  t.equal((await browser.open(`/app/${bob.id}/codes/${codeId}`)).status, 404);
  const { text } = await browser.open(`/app/${school}/codes/${codeId}`);
  t.match(text, `/app/${school}/inbox`, 'the navigation stays in the account');
  t.match(text, `/app/${bob.id}/settings`, 'but settings are those of the user');
});

t.test('a member repeats only requests of their own for the same account', async (t) => {
  const test = await startTestApp(t);
  const [ada, bob] = [await test.createUser(), await test.createUser()];
  const members = [ada, bob].map(({ id: userId }) => ({ userId, role: 'EDITOR' }) as const);
  const [school, club] = [
    await insertOrganization(test, { members }),
    await insertOrganization(test, { members }),
  ];
  const key = generateId();
  const create = async (token: string, accountId: string) => {
    const headers = { 'idempotency-key': key, 'account-id': accountId };
    const { status, body } = await test.call('POST', '/api/qrcodes', { token, headers, body: CODE });
    t.equal(status, 201);
    return body.id;
  };
  const ids = async () => [
    await create(ada.accessToken, ada.id),
    await create(ada.accessToken, school),
    await create(ada.accessToken, club),
    await create(bob.accessToken, school),
  ];
  const first = await ids();
  t.equal(new Set(first).size, 4);
  t.same(await ids(), first);
  const stored = await test.database.client.idempotencyKey.findMany({ where: { requester: ada.id } });
  t.same(stored.map((row) => row.contentAccountId).toSorted(), [null, school, club].toSorted());
});

t.test('an organization receives no documents and cares for no memory tags of others', async (t) => {
  const test = await startTestApp(t);
  const [ada, bob] = [await test.createUser(), await test.createUser()];
  const school = await insertOrganization(test, { members: [{ userId: bob.id, role: 'OWNER' }] });
  const { accessToken: token } = ada;
  const document = await uploadDocument(test, token, createTestPdf());
  const tag = await test.call('POST', '/api/memory-tags', { token, body: { name: 'Grandfather' } });
  const body = { email: bob.email };
  await test.call('POST', `/api/documents/${document.body.id}/grants`, { token, body });
  await test.call('POST', `/api/memory-tags/${tag.body.id}/caretakers`, { token, body });
  for (const url of ['/api/documents/received', '/api/memory-tags/caring']) {
    const count = async (headers = {}) =>
      (await test.call('GET', url, { token: bob.accessToken, headers })).body.data.length;
    t.equal(await count(), 1, url);
    t.equal(await count({ 'account-id': school }), 0, url);
  }
  const url = `/api/memory-tags/${tag.body.id}`;
  const status = async (headers = {}) =>
    (await test.call('GET', url, { token: bob.accessToken, headers })).status;
  t.equal(await status(), 200);
  t.equal(await status({ 'account-id': school }), 404);
});
