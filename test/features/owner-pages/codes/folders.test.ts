import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const HOSTILE_NAME = '"><img src=x onerror=alert(1)>';

const app = await startTestApp(t);

async function openAccount() {
  const user = await app.createUser();
  const browser = await signInBrowser(app, user);
  return { user, browser, codes: `/app/${user.id}/codes` };
}

const listTitles = (markup: string) =>
  [...markup.matchAll(/<th scope="row">.*?<a [^>]*><bdi>(.*?)<\/bdi>/gs)].map(([, title]) => title);

const readFolderIds = async (accountId: string) => {
  const rows = await app.database.client.folder.findMany({ where: { accountId, deletedAt: null } });
  return new Map(rows.map(({ id, name }) => [name, id]));
};

t.test('a folder is created, renamed and colored, and its name is text', async (t) => {
  const { browser, codes, user } = await openAccount();
  await browser.open(`${codes}/folders`);
  t.match(browser.main, 'No folders yet.');
  await browser.send('/folders', { name: ' ', color: 'BLUE' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="name-error"');
  await browser.send('/folders', { name: HOSTILE_NAME, color: 'BLUE' });
  t.match(browser.path, /\?done=created&id=[0-9a-f]{24}$/);
  t.match(browser.main, 'The folder is created.');
  t.match(browser.main, 'class="folder is-blue"');
  t.notMatch(browser.page.text, '<img src=x');
  const id = (await readFolderIds(user.id)).get(HOSTILE_NAME);
  await browser.send('/folders', { name: HOSTILE_NAME.toUpperCase(), color: 'RED' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Another folder has this name.');
  await browser.open(`${codes}/folders/${id}`);
  await browser.send('/change', { name: 'Dogs', color: 'GREEN' });
  t.match(browser.main, 'The folder is changed.');
  t.match(await app.database.client.folder.findMany({ where: { accountId: user.id } }), [
    { name: 'Dogs', color: 'GREEN' },
  ]);
});

t.test('the table of codes is filtered by folders, and says the folder of each code', async (t) => {
  const { browser, codes, user } = await openAccount();
  await createTestCode(app, user, { title: 'Rex' });
  await browser.open(codes);
  t.notMatch(browser.main, 'No folder', 'without a folder nothing speaks of them');
  await browser.open(`${codes}/folders`);
  await browser.send('/folders', { name: 'Dogs', color: 'TEAL' });
  const id = (await readFolderIds(user.id)).get('Dogs');
  await createTestCode(app, user, { title: 'Ada', folderId: id });
  await browser.open(codes);
  t.same(listTitles(browser.main), ['Ada', 'Rex']);
  t.match(
    browser.main,
    `<a href="${codes}?folder=${id}"><span class="folder is-teal"><bdi>Dogs</bdi></span> (1)</a>`,
  );
  await browser.open(`${codes}?folder=${id}`);
  t.same(listTitles(browser.main), ['Ada']);
  t.match(browser.main, `${codes}/export?folder=${id}`);
  await browser.open(`${codes}?folder=none`);
  t.same(listTitles(browser.main), ['Rex']);
  await browser.open(`${codes}?folder=${'0'.repeat(24)}`);
  t.match(browser.main, 'This folder no longer exists.');
  await browser.open(`${codes}?folder=${id}&filters=open`);
  await browser.send('/views', { name: 'My dogs' });
  t.same(listTitles(browser.main), ['Ada'], 'a saved view has the folder');
  await browser.open(`${codes}/export?folder=${id}`);
  t.match(browser.page.text, 'Dogs');
  t.notMatch(browser.page.text, ',Rex,ACTIVE');
});

t.test('codes are moved on their settings, and all selected ones at once', async (t) => {
  const { browser, codes, user } = await openAccount();
  const [first, second] = [await createTestCode(app, user), await createTestCode(app, user)];
  await browser.open(`${codes}/folders`);
  await browser.send('/folders', { name: 'Dogs', color: 'BLUE' });
  const id = (await readFolderIds(user.id)).get('Dogs') ?? '';
  const listIds = async () => {
    const rows = await app.database.client.qrCode.findMany({ where: { accountId: user.id, folderId: id } });
    return rows.map((row) => row.id).toSorted();
  };
  await browser.open(`${codes}/${first.id}/settings`);
  await browser.send('/settings', { folder: id });
  t.same(await listIds(), [first.id]);
  await browser.open(`${codes}/${first.id}`);
  t.match(
    browser.main,
    `<a href="${codes}?folder=${id}"><span class="folder is-blue"><bdi>Dogs</bdi></span></a>`,
  );
  await browser.open(`${codes}/selected?ids=${first.id},${second.id}`);
  await browser.send('/selected/change', { change: 'folder', toFolder: id });
  t.match(browser.path, 'selected=change&count=1');
  t.same(await listIds(), [first.id, second.id].toSorted());
  await browser.open(`${codes}/${first.id}/settings`);
  await browser.send('/settings', { folder: '' });
  t.same(await listIds(), [second.id]);
});

t.test('a deleted folder leaves its codes, and comes back by one button', async (t) => {
  const { browser, codes, user } = await openAccount();
  await browser.open(`${codes}/folders`);
  await browser.send('/folders', { name: 'Dogs', color: 'BLUE' });
  const id = (await readFolderIds(user.id)).get('Dogs');
  await createTestCode(app, user, { title: 'Ada', folderId: id });
  await browser.open(`${codes}/folders/${id}`);
  await browser.send('/delete');
  t.match(browser.main, 'The folder is deleted. Its codes stay.');
  await browser.send('/restore');
  t.match(browser.main, 'The folder is back, with its codes.');
  await browser.open(`${codes}?folder=${id}`);
  t.same(listTitles(browser.main), ['Ada']);
});
