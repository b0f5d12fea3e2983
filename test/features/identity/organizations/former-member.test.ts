import { startTestApp, type TestUser } from '../../../helper.ts';
import { createCodeOfAccount, insertMembership, insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { createTestPdf, uploadDocument } from '../../documents/upload.ts';
import { signInBrowser } from '../../owner-pages/signed-in-browser.ts';

const test = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
const { call, database } = test;

async function createShelter() {
  const [owner, editor] = [await test.createUser(), await test.createUser()];
  const accountId = await insertOrganization(test, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: owner.id });
  const read = (path: string, user: TestUser) =>
    call('GET', path, { token: user.accessToken, headers: { 'account-id': accountId } });
  const remove = () =>
    call('DELETE', `/api/organizations/${accountId}/members/${editor.id}`, { token: owner.accessToken });
  return { owner, editor, accountId, qrCodeId, read, remove };
}

t.test('a former member has no session, page, key or file of the organization', async (t) => {
  const { owner, editor, accountId, qrCodeId, read, remove } = await createShelter();
  const headers = { 'account-id': accountId };
  const key = await call('POST', '/api/api-keys', {
    token: editor.accessToken,
    headers,
    body: { name: 'Shop', scopes: ['qr-codes:read'] },
  });
  const document = await uploadDocument(test, editor.accessToken, createTestPdf(), {}, headers);
  t.equal(document.status, 201, document.text);
  const browser = await signInBrowser(test, editor);
  const paths = [
    '/api/qrcodes',
    `/api/qrcodes/${qrCodeId}`,
    '/api/qrcodes/export',
    '/api/scans',
    '/api/conversations',
    '/api/dashboard/cards',
    `/api/documents/${document.body.id}/content`,
  ];
  const pages = ['', '/codes', `/codes/${qrCodeId}`, '/inbox', '/developers', '/codes/export'].map(
    (path) => `/app/${accountId}${path}`,
  );
  for (const path of paths) t.equal((await read(path, editor)).status, 200, path);
  for (const page of pages) t.equal((await browser.open(page)).status, 200, page);
  t.equal((await call('GET', '/api/qrcodes', { token: key.body.token })).status, 200);

  t.equal((await remove()).status, 200);
  for (const path of paths)
    t.match(await read(path, editor), { status: 404, body: { code: 'ACCOUNT_NOT_FOUND' } }, path);
  for (const page of pages) t.equal((await browser.open(page)).status, 404, page);
  t.equal((await call('GET', '/api/qrcodes', { token: key.body.token })).status, 401);
  const personal = await call('GET', '/api/qrcodes', { token: editor.accessToken });
  t.same(personal.body.data, [], 'their session goes on for their own account');
  const me = await call('GET', '/api/auth/me', { token: editor.accessToken });
  t.same(
    me.body.accounts.map(({ id }: { id: string }) => id),
    [editor.id],
  );
  t.equal((await read(`/api/qrcodes/${qrCodeId}`, owner)).status, 200);
});

t.test('who is a member again begins anew', async (t) => {
  const { editor, accountId, qrCodeId, remove } = await createShelter();
  const headers = { 'account-id': accountId };
  const link = await call('POST', `/api/qrcodes/${qrCodeId}/test`, { token: editor.accessToken, headers });
  t.equal(link.status, 201, link.text);
  const schedule = await call('PUT', '/api/scans/report-schedule', {
    token: editor.accessToken,
    headers,
    body: { frequency: 'WEEKLY' },
  });
  t.equal(schedule.status, 200, schedule.text);
  await remove();
  await insertMembership(test, accountId, { userId: editor.id, role: 'EDITOR' });
  t.equal((await call('GET', new URL(link.body.url).pathname)).status, 404);
  const { status } = await call('GET', '/api/scans/report-schedule', { token: editor.accessToken, headers });
  t.equal(status, 404, 'no reports by email');
  const { id: userId } = editor;
  t.equal(await database.client.notification.count({ where: { userId, accountId } }), 0);
});
