import type { AccountRole } from '../../../../src/shared/account-roles.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp, type TestUser } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import type { TestBrowser } from '../browser.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const test = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
const { client } = test.database;

interface Member {
  user: TestUser;
  browser: TestBrowser;
  /** Of the members of the organization. */
  path: string;
}

/** An organization with a member of each role, each with a browser. */
async function createMembers<Role extends AccountRole>(...roles: readonly Role[]) {
  const users = new Map<Role, TestUser>();
  for (const role of roles) users.set(role, await test.createUser());
  const accountId = await insertOrganization(test, {
    name: 'Cats & <Dogs>',
    members: [...users].map(([role, { id }]) => ({ userId: id, role })),
  });
  const open = async (role: Role): Promise<Member> => {
    const user = users.get(role);
    if (!user) throw new Error('no member');
    const path = `/app/${user.id}/settings/organizations/${accountId}/members`;
    return { user, browser: await signInBrowser(test, user), path };
  };
  const getUser = (role: Role) => users.get(role)?.id ?? '';
  const getRole = async (role: Role) =>
    (await client.membership.findFirst({ where: { accountId, userId: getUser(role) } }))?.role;
  return { accountId, open, getUser, getRole };
}

t.test('an owner changes the role of a member', async (t) => {
  const { accountId, open, getUser, getRole } = await createMembers('OWNER', 'EDITOR');
  const { browser, path } = await open('OWNER');
  await browser.open(path.slice(0, -'/members'.length));
  t.match(browser.main, `href="${path}"`, 'the organization leads to its members');
  await browser.open(path);
  t.match(browser.main, 'Who looks after <bdi>Cats & <Dogs></bdi>');
  const member = `${path}/${getUser('EDITOR')}`;
  t.match(browser.main, `href="${member}"`);
  await browser.open(member);
  await browser.fill(`/${getUser('EDITOR')}`, { role: 'VIEWER' });
  t.equal(browser.path, `${path}?done=member-role`);
  t.match(browser.main, 'Role changed.');
  t.equal(await getRole('EDITOR'), 'VIEWER');
  t.equal((await browser.open(member)).status, 200);
  await client.membership.update({
    where: { accountId_userId: { accountId, userId: getUser('EDITOR') } },
    data: { version: { increment: 1 } },
  });
  const refused = await browser.fill(`/${getUser('EDITOR')}`, { role: 'BILLING' });
  t.equal(refused.status, 412);
  t.match(browser.main, 'Somebody else changed something in the meantime.');
  t.equal((await browser.fill(`/${getUser('EDITOR')}`, { role: 'ADMIN' })).status, 400);
});

t.test('a manager changes all but owners, and makes none', async (t) => {
  const { open, getUser } = await createMembers('OWNER', 'MANAGER', 'EDITOR');
  const { browser, path } = await open('MANAGER');
  await browser.open(path);
  t.notMatch(browser.main, `href="${path}/${getUser('OWNER')}"`);
  t.equal((await browser.open(`${path}/${getUser('OWNER')}`)).status, 403);
  t.equal((await browser.open(`${path}/${getUser('OWNER')}/remove`)).status, 403);
  await browser.open(`${path}/${getUser('EDITOR')}`);
  t.same(
    ['OWNER', 'MANAGER', 'BILLING', 'VIEWER'].map((role) => browser.main.includes(`value="${role}"`)),
    [false, false, false, true],
  );
  t.notMatch(browser.main, '/transfer-ownership"');
});

t.test('other members read the list without addresses, and leave', async (t) => {
  const { open, getUser, getRole } = await createMembers('OWNER', 'VIEWER');
  const { browser, path, user } = await open('VIEWER');
  await browser.open(path);
  t.match(browser.main, 'Owner');
  t.notMatch(browser.main, '@');
  t.equal((await browser.open(`${path}/${getUser('OWNER')}`)).status, 403);
  await browser.open(path);
  t.match(browser.main, `href="${path}/${user.id}/remove"`);
  await browser.open(`${path}/${user.id}/remove`);
  t.match(browser.main, 'From now on, you see nothing of');
  await browser.send('/remove');
  t.match(browser.path, '/settings/organizations?done=organization-left');
  t.match(browser.main, 'You left the organization.');
  t.equal(await getRole('VIEWER'), undefined);
  t.equal((await browser.open(path)).status, 404);
});

t.test('before a member is removed, the page says what stops', async (t) => {
  const { accountId, open, getUser, getRole } = await createMembers('OWNER', 'MANAGER');
  const { browser, path } = await open('OWNER');
  const manager = await open('MANAGER');
  const key = await test.call('POST', '/api/api-keys', {
    token: manager.user.accessToken,
    body: { name: 'Shop <b>', scopes: ['qr-codes:read'] },
    headers: { 'account-id': accountId },
  });
  t.equal(key.status, 201, key.text);
  const endpoint = { id: generateId(), accountId, eventTypes: ['*'], description: 'Warehouse' };
  const [url, secrets] = [new Uint8Array([1]), new Uint8Array([1])];
  await client.webhookEndpoint.create({ data: { ...endpoint, url, secrets } });
  const nextSendAt = new Date(Date.now() + 86_400_000);
  await client.reportSchedule.create({
    data: { accountId, userId: manager.user.id, frequency: 'WEEKLY', hour: 8, nextSendAt },
  });
  await browser.open(`${path}/${getUser('MANAGER')}/remove`);
  t.match(browser.main, `href="/app/${accountId}/developers/keys/${key.body.id}"`);
  t.match(browser.main, 'Shop <b>');
  t.match(browser.main, `href="/app/${accountId}/developers/webhooks/${endpoint.id}"`);
  t.match(browser.main, 'Warehouse');
  t.match(browser.main, '1 link for a test or a report by email ends, too.');
  await browser.send('/remove');
  t.equal(browser.path, `${path}?done=member-removed`);
  t.match(browser.main, 'Member removed.');
  t.equal(await getRole('MANAGER'), undefined);
  t.equal((await manager.browser.open(manager.path)).status, 404);
});

t.test('an owner transfers the ownership; the only one stays', async (t) => {
  const { open, getUser, getRole } = await createMembers('OWNER', 'EDITOR');
  const { browser, path, user } = await open('OWNER');
  await browser.open(`${path}/${user.id}`);
  t.equal((await browser.fill(`/${user.id}`, { role: 'VIEWER' })).status, 409);
  t.match(browser.main, 'An organization needs an owner.');
  await browser.open(`${path}/${user.id}/remove`);
  t.equal((await browser.send('/remove')).status, 409);
  const setStatus = (status: 'SUSPENDED' | 'ACTIVE') =>
    client.user.update({ where: { id: getUser('EDITOR') }, data: { status } });
  await setStatus('SUSPENDED');
  await browser.open(`${path}/${getUser('EDITOR')}`);
  t.notMatch(browser.main, '/transfer-ownership"');
  t.notMatch(browser.main, 'value="OWNER"');
  await setStatus('ACTIVE');
  await browser.open(`${path}/${getUser('EDITOR')}`);
  await browser.send('/transfer-ownership');
  t.equal(browser.path, `${path}?done=ownership-transferred`);
  t.same([await getRole('OWNER'), await getRole('EDITOR')], ['MANAGER', 'OWNER']);
});

t.test('strangers find no members', async (t) => {
  const { accountId, getUser } = await createMembers('OWNER');
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const path = `/app/${user.id}/settings/organizations/${accountId}/members`;
  for (const page of [path, `${path}/${getUser('OWNER')}`, `${path}/${getUser('OWNER')}/remove`])
    t.equal((await browser.open(page)).status, 404, page);
});

t.test(
  'where an organization requires a second factor, a member without one enrolls or leaves',
  async (t) => {
    const { accountId, open, getRole } = await createMembers('OWNER', 'VIEWER');
    await client.account.update({ where: { id: accountId }, data: { enterpriseMode: true } });
    const { browser, path, user } = await open('VIEWER');
    await browser.open(path);
    t.match(browser.path, `/settings/security/`);
    await browser.open(`/app/${user.id}/settings/organizations`);
    t.match(browser.main, `href="${path}/${user.id}/remove"`);
    await browser.open(`${path}/${user.id}/remove`);
    await browser.send('/remove');
    t.equal(await getRole('VIEWER'), undefined);
  },
);

t.test('after a while, whoever makes a member an owner logs in again', async (t) => {
  const { open, getUser, getRole } = await createMembers('OWNER', 'EDITOR');
  const { browser, path, user } = await open('OWNER');
  await client.session.updateMany({
    where: { userId: user.id },
    data: { createdAt: new Date(Date.now() - 3_600_000) },
  });
  await browser.open(`${path}/${getUser('EDITOR')}`);
  const refused = await browser.fill(`/${getUser('EDITOR')}`, { role: 'OWNER' });
  t.equal(refused.status, 401);
  t.match(browser.main, 'type="password"');
  t.equal(await getRole('EDITOR'), 'EDITOR');
});

t.test('a manager limits a member to folders, and ends the limit', async (t) => {
  const { accountId, open, getUser } = await createMembers('OWNER', 'MANAGER', 'EDITOR');
  const { browser, path } = await open('MANAGER');
  const member = `${path}/${getUser('EDITOR')}`;
  await browser.open(member);
  t.equal(browser.findForm('/folders'), null, 'without folders there is no limit');
  const names = ['Class 3b', '<Class> 4a'];
  const ids = names.map(() => generateId());
  await client.folder.createMany({
    data: ids.map((id, index) => ({ accountId, id, name: names[index] ?? '' })),
  });
  const readLimit = async () =>
    client.membership.findFirst({
      where: { accountId, userId: getUser('EDITOR') },
      select: { limitedToFolders: true, folders: { select: { folderId: true } } },
    });
  await browser.open(member);
  t.notMatch(browser.page.text, '<Class>');
  await browser.send('/folders', { limit: 'folders', [`folder-${ids[0]}`]: 'yes' });
  t.equal(browser.path, `${path}?done=member-folders`);
  t.match(browser.main, 'Folders changed.');
  t.same(await readLimit(), { limitedToFolders: true, folders: [{ folderId: ids[0] }] });
  await browser.open(member);
  t.match(browser.main, `name="folder-${ids[0]}" value="yes" checked`);
  const many = Array.from({ length: 501 }, () => generateId());
  await test.database.client.folder.createMany({
    data: many.map((id) => ({ accountId, id, name: id })),
  });
  await browser.send('/folders', Object.fromEntries(many.map((id) => [`folder-${id}`, 'yes'])));
  t.equal(browser.page.status, 400);
  t.same(await readLimit(), { limitedToFolders: true, folders: [{ folderId: ids[0] }] });
  await browser.open(member);
  await browser.send('/folders', { limit: 'none', [`folder-${ids[0]}`]: 'yes' });
  t.same(await readLimit(), { limitedToFolders: false, folders: [] });
  await browser.open(`${path}/${getUser('MANAGER')}`);
  t.equal(browser.findForm('/folders'), null, 'managers have all codes');
});
