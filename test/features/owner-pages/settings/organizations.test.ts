import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const test = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
const { database } = test;

async function openOrganizations() {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const path = `/app/${user.id}/settings/organizations`;
  await browser.open(path);
  return { user, browser, path };
}

async function addMember(accountId: string, role: string) {
  const user = await test.createUser();
  await database.client.membership.create({ data: { accountId, userId: user.id, role } });
  return { user, browser: await signInBrowser(test, user) };
}

t.test('an owner creates, changes, deletes and restores an organization', async (t) => {
  const { user, browser, path } = await openOrganizations();
  t.match(browser.main, 'You are in no organization yet.');
  await browser.send('/organizations', { name: ' ' });
  t.match(browser.main, 'aria-invalid="true"');
  await browser.send('/organizations', { name: 'Cats & <Dogs>' });
  t.equal(browser.path, `${path}?done=organization-created`);
  t.match(browser.main, 'Organization created.');
  const { accountId: id } = await database.client.membership.findFirstOrThrow({
    where: { userId: user.id, accountId: { not: user.id } },
  });
  t.match(browser.main, `<a href="/app/${id}"><bdi>Cats & <Dogs></bdi></a>`);
  await browser.open(`${path}/${id}`);
  await browser.fill(`/organizations/${id}`, { name: 'Shelter', timeZone: 'Europe/Lisbon' });
  t.match(browser.main, 'Saved.');
  t.match(await database.client.account.findUnique({ where: { id } }), {
    name: 'Shelter',
    timeZone: 'Europe/Lisbon',
    version: 2,
  });
  await browser.send('/delete');
  t.match(browser.main, 'Until then it works as before.');
  t.notMatch(browser.main, '/delete"');
  await browser.send('/restore');
  t.equal(browser.path, `${path}/${id}?done=organization-restored`);
  t.match(browser.main, 'Organization restored.');
});

t.test('two owners who change it at once: the second is told, and keeps what they entered', async (t) => {
  const { user, browser, path } = await openOrganizations();
  await browser.send('/organizations', { name: 'Before' });
  const { accountId: id } = await database.client.membership.findFirstOrThrow({
    where: { userId: user.id, accountId: { not: user.id } },
  });
  const { user: second, browser: other } = await addMember(id, 'OWNER');
  await browser.open(`${path}/${id}`);
  await other.open(`/app/${second.id}/settings/organizations/${id}`);
  await other.fill(`/organizations/${id}`, { name: 'Theirs' });
  const refused = await browser.fill(`/organizations/${id}`, { name: 'Mine' });
  t.equal(refused.status, 412);
  t.match(browser.main, 'Somebody else changed it in the meantime.');
  t.match(browser.main, 'value="Mine"');
  await browser.fill(`/organizations/${id}`);
  t.match(await database.client.account.findUnique({ where: { id } }), { name: 'Mine', version: 3 });
});

t.test('other members see their role and nothing to change; strangers find nothing', async (t) => {
  const { user, browser } = await openOrganizations();
  await browser.send('/organizations', { name: 'Hospital' });
  const { accountId: id } = await database.client.membership.findFirstOrThrow({
    where: { userId: user.id, accountId: { not: user.id } },
  });
  const { user: editor, browser: editors } = await addMember(id, 'EDITOR');
  const own = `/app/${editor.id}/settings/organizations/${id}`;
  await editors.open(own);
  t.match(editors.main, 'Only its owners can change it.');
  t.notMatch(editors.main, '<form');
  const { browser: strangers, path } = await openOrganizations();
  t.equal((await strangers.open(`${path}/${id}`)).status, 404);
});
