import { PERMISSIONS } from '../../src/permissions.ts';
import type { PermissionDefinition } from '../../src/shared/catalogue.ts';
import { generateId } from '../../src/shared/ids.ts';
import { createTestPdf, uploadDocument } from '../features/documents/upload.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import { signInBrowser } from '../features/owner-pages/signed-in-browser.ts';
import { startTestApp, type TestApp, type TestUser } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { t } from '../tap.ts';

const ROLES = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const;

t.test('every permission to records names the roles in an account, and no other does', (t) => {
  for (const [name, { accountRoles }] of Object.entries<PermissionDefinition>(PERMISSIONS))
    t.equal(accountRoles !== undefined, name.endsWith(':own') && name !== 'notifications:own', name);
  t.end();
});

async function createMembers(test: TestApp) {
  const users = new Map<string, TestUser>();
  for (const role of ROLES) users.set(role, await test.createUser());
  const members = ROLES.map((role) => ({ userId: users.get(role)?.id ?? '', role }));
  const school = await insertOrganization(test, { members });
  const call = async (role: (typeof ROLES)[number], method: string, url: string, options = {}) => {
    const headers = { 'account-id': school, ...Reflect.get(options, 'headers') };
    return test.call(method, url, { token: users.get(role)?.accessToken, ...options, headers });
  };
  return { users, school, call };
}

t.test('a role that may not is refused, and its page does not exist', async (t) => {
  const test = await startTestApp(t);
  const { users, school, call } = await createMembers(test);
  const statuses = async (method: string, url: string, body?: object) =>
    Object.fromEntries(
      await Promise.all(
        ROLES.map(async (role) => [role, (await call(role, method, url, body && { body })).status]),
      ),
    );
  const note = { kind: 'TEXT', title: 'Note', data: { text: 'a' } };
  const [OWNER, MANAGER, EDITOR] = [201, 201, 201];
  t.same(await statuses('POST', '/api/qrcodes', note), {
    ...{ OWNER, MANAGER, EDITOR },
    ...{ RESPONDER: 403, VIEWER: 403, BILLING: 403 },
  });
  const all = { OWNER: 200, MANAGER: 200, EDITOR: 200, RESPONDER: 200, VIEWER: 200, BILLING: 200 };
  t.same(await statuses('GET', '/api/qrcodes'), { ...all, BILLING: 403 });
  t.same(await statuses('GET', '/api/documents'), { ...all, RESPONDER: 403, BILLING: 403 });
  t.same(await statuses('GET', '/api/conversations'), { ...all, BILLING: 403 });
  t.same(await statuses('GET', '/api/webhook-endpoints'), {
    ...all,
    ...{ EDITOR: 403, RESPONDER: 403, VIEWER: 403, BILLING: 403 },
  });
  t.same(await statuses('GET', '/api/subscription/status'), {
    ...all,
    ...{ EDITOR: 403, RESPONDER: 403, VIEWER: 403 },
  });
  const denials = await test.database.client.auditEntry.count({ where: { action: 'ACCESS_DENIED' } });
  t.equal(denials, 3 + 1 + 2 + 1 + 4 + 3);
  const responder = users.get('RESPONDER');
  if (!responder) throw new Error('no responder');
  const browser = await signInBrowser(test, responder);
  t.equal((await browser.open(`/app/${school}/inbox`)).status, 200);
  t.equal((await browser.open(`/app/${school}/documents`)).status, 404);
  await test.database.pool.query("UPDATE memberships SET role = 'EDITOR' WHERE role = 'RESPONDER'");
  t.equal((await browser.open(`/app/${school}/documents`)).status, 200, 'a new role counts at once');
});

t.test('a role without health data gets none in any answer', async (t) => {
  const test = await startTestApp(t);
  const { users, school, call } = await createMembers(test);
  const fact = 'allergic to penicillin';
  const data = { name: 'Ada', notes: fact };
  const body = { kind: 'MEDICAL', title: 'Bracelet', data, externalId: 'bracelet' };
  const { id } = (await call('EDITOR', 'POST', '/api/qrcodes', { body })).body;
  const picture = createPictureForm(ONE_PIXEL_PNG, { caption: fact });
  const added = await call('EDITOR', 'POST', `/api/qrcodes/${id}/pictures`, picture);
  t.equal(added.status, 201, added.text);
  const content = [
    `/api/qrcodes/${id}`,
    '/api/qrcodes/by-external-id/bracelet',
    `/api/qrcodes/${id}/preview`,
    `/api/qrcodes/${id}/pictures`,
    `/api/qrcodes/${id}/pictures/${added.body.id}`,
  ];
  for (const url of content) {
    t.equal((await call('VIEWER', 'GET', url)).status, 200, url);
    const { status, text } = await call('RESPONDER', 'GET', url);
    t.match({ status, text }, { status: 403, text: /"FORBIDDEN"/ }, url);
  }
  for (const url of ['/api/qrcodes?include=data', '/api/qrcodes/export', '/api/qrcodes/export?format=csv']) {
    t.match((await call('VIEWER', 'GET', url)).text, fact, url);
    const { status, text } = await call('RESPONDER', 'GET', url);
    t.equal(status, 200, url);
    t.notMatch(text, fact, url);
  }
  t.match((await call('RESPONDER', 'GET', '/api/qrcodes')).text, 'Bracelet', 'the title is no health data');
  t.equal((await call('RESPONDER', 'GET', `/api/imports/${generateId()}/rejected-rows`)).status, 403);
  t.equal((await call('RESPONDER', 'GET', `/api/print-sheets/${generateId()}/content`)).status, 403);
  const responder = users.get('RESPONDER');
  if (!responder) throw new Error('no responder');
  const browser = await signInBrowser(test, responder);
  for (const path of ['', '/content', '/page', '/practice/page'])
    t.notMatch((await browser.open(`/app/${school}/codes/${id}${path}`)).text, fact, path);

  await test.database.pool.query('UPDATE accounts SET enterprise_mode = true WHERE id = $1', [school]);
  t.equal((await call('VIEWER', 'GET', content[0] ?? '')).body.code, 'MFA_ENROLLMENT_REQUIRED');
});

t.test('a viewer of an organization in enterprise mode reads no health document', async (t) => {
  const test = await startTestApp(t);
  const { users, school, call } = await createMembers(test);
  const editor = users.get('EDITOR')?.accessToken ?? '';
  const headers = { 'account-id': school };
  const { body } = await uploadDocument(test, editor, createTestPdf(), { kind: 'HEALTH' }, headers);
  const urls = [
    `/api/documents/${body.id}`,
    `/api/documents/${body.id}/versions`,
    `/api/documents/${body.id}/content`,
  ];
  const read = () => Promise.all(urls.map(async (url) => (await call('VIEWER', 'GET', url)).status));
  t.same(await read(), [200, 200, 200]);
  await test.database.pool.query('UPDATE accounts SET enterprise_mode = true WHERE id = $1', [school]);
  await test.database.pool.query(
    `INSERT INTO second_factors (user_id, secret, confirmed_at, last_step) SELECT id, '\\x00'::bytea, now(), 1 FROM users`,
  );
  t.same(await read(), [403, 403, 403]);
});

t.test('every role that reads scans has a report schedule of its own', async (t) => {
  const test = await startTestApp(t);
  const { users, school, call } = await createMembers(test);
  const url = '/api/scans/report-schedule';
  for (const role of ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER'] as const) {
    t.equal((await call(role, 'GET', url)).status, 404, `${role} has none of another member`);
    const put = await call(role, 'PUT', url, { body: { frequency: 'WEEKLY', hour: 7 } });
    t.equal(put.status, 200, `${role}: ${put.text}`);
  }
  const user = users.get('VIEWER');
  if (!user) throw new Error('no viewer');
  t.equal((await call('VIEWER', 'DELETE', url)).status, 200);
  t.equal((await call('EDITOR', 'GET', url)).status, 200, 'that of another member stays');
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const options = method === 'PUT' ? { body: { frequency: 'WEEKLY', hour: 7 } } : {};
    t.equal((await call('BILLING', method, url, options)).status, 403, method);
  }

  const browser = await signInBrowser(test, user);
  const path = `/app/${school}/reports`;
  await browser.open(path);
  await browser.fill('/reports/schedule', { frequency: 'MONTHLY', hour: '9' });
  t.equal(browser.path, `${path}?done=saved`);
  await browser.send('/reports/schedule/end');
  t.equal(browser.path, `${path}?done=saved`);
  t.equal((await call('VIEWER', 'GET', url)).status, 404);
});

t.test('a page shows a role what it may read, without the forms and pages that it may not use', async (t) => {
  const test = await startTestApp(t);
  const { users, school, call } = await createMembers(test);
  const create = async (kind: string) => {
    const body = { kind, title: 'Bracelet', data: { name: 'Ada', notes: 'Ring the bell' } };
    return `/app/${school}/codes/${(await call('EDITOR', 'POST', '/api/qrcodes', { body })).body.id}`;
  };
  const [pet, medical] = [await create('PET'), await create('MEDICAL')];
  const signIn = async (role: (typeof ROLES)[number]) => {
    const user = users.get(role);
    if (!user) throw new Error(role);
    return signInBrowser(test, user);
  };
  const viewer = await signIn('VIEWER');
  t.equal((await viewer.open(`${medical}/content`)).status, 200);
  t.match(viewer.main, /<fieldset[^>]* disabled>.*Ring the bell/s);
  t.equal(viewer.findForm('/content'), null);
  t.equal(viewer.findForm('/pin'), null);
  t.notMatch(viewer.main, `${medical}/settings"`);
  t.equal((await viewer.open(`${medical}/settings`)).status, 404);

  const responder = await signIn('RESPONDER');
  await responder.open(pet);
  t.match(responder.main, `${pet}/content"`);
  await responder.open(medical);
  t.equal(responder.page.status, 200);
  t.notMatch(responder.main, `${medical}/content"`, 'no content of a health record');

  const editor = await signIn('EDITOR');
  await editor.open(`${medical}/content`);
  t.ok(editor.findForm('/content'));
  t.match(editor.main, `${medical}/settings"`);
});
