import { startTestApp } from '../../../helper.ts';
import { createCodeOfAccount, insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const test = await startTestApp(t, { BILLING: 'off' });

t.test('a member who is limited to a folder has the pages of its codes, and no others', async (t) => {
  const [owner, editor] = [await test.createUser(), await test.createUser()];
  const accountId = await insertOrganization(test, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const as = (method: string, url: string, body: object) =>
    test.call(method, url, { token: owner.accessToken, headers: { 'account-id': accountId }, body });
  const folderId: string = (await as('POST', '/api/folders', { name: 'Class 3b' })).body.id;
  await as('POST', '/api/folders', { name: 'Class 4a' });
  const create = (title: string, more: object = {}) =>
    createCodeOfAccount(test, { accountId, userId: owner.id }, { title, ...more });
  const [inside, outside] = [await create('Jacket', { folderId }), await create('Secret bag')];
  await as('POST', '/api/saved-views', { name: 'All secrets', query: { search: 'Secret' } });
  await as('PUT', `/api/organizations/${accountId}/members/${editor.id}/folders`, { folderIds: [folderId] });

  const browser = await signInBrowser(test, editor);
  const path = `/app/${accountId}`;
  await browser.open(path);
  t.equal(browser.path.replace('https://qr.example.org', ''), `${path}/codes`);
  t.match(browser.main, 'Jacket');
  t.match(browser.main, 'Class 3b');
  for (const text of ['Secret', 'Class 4a', 'All secrets', 'href="/app/documents'])
    t.notMatch(browser.main, text);
  await browser.open(`${path}/codes?search=Secret`);
  t.match(browser.main, 'No code matches.');
  await browser.open(`${path}/codes/${inside}`);
  t.equal(browser.page.status, 200);
  await browser.open(`${path}/codes/${inside}/settings`);
  await browser.fill('/settings', { externalId: '4711' });
  t.match(await test.database.client.qrCode.findUnique({ where: { id: inside } }), { externalId: '4711' });
  for (const page of ['content', 'scans', 'history', 'print', 'page']) {
    await browser.open(`${path}/codes/${inside}/${page}`);
    t.equal(browser.page.status, 200, page);
    await browser.open(`${path}/codes/${outside}/${page}`);
    t.equal(browser.page.status, 404, `${page} of another code`);
  }
  for (const page of ['inbox', 'documents', 'memorials', 'imports', 'print', 'reports', 'codes/deleted']) {
    await browser.open(`${path}/${page}`);
    t.equal(browser.page.status, 404, page);
    t.notMatch(browser.page.text, 'Secret');
  }
});
