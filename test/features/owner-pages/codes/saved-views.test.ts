import { t } from '../../../tap.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { startScans } from '../../scans/helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const HOSTILE_NAME = '"><img src=x onerror=alert(1)>';

const test = await startScans(t);
await setPackageLimit(test, 'FREE', { qrCodes: null });
const { code } = test;

async function openAccount() {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  return { user, browser, codes: `/app/${user.id}/codes` };
}

const listTitles = (markup: string) =>
  [...markup.matchAll(/<th scope="row">.*?<bdi>(.*?)<\/bdi>/gs)].map(([, title]) => title);

/** Name and address of each tab above the table, and whether it is the current one. */
const listTabs = (markup: string) =>
  [...markup.matchAll(/<li><a href="([^"]*)"( aria-current="page")?><bdi>(.*?)<\/bdi><\/a><\/li>/g)].map(
    ([, href, current, name]) => ({ href, name, isCurrent: current !== undefined }),
  );

t.test('filters are saved as a view with an address of its own', async (t) => {
  const { browser, codes, user } = await openAccount();
  await code({ title: 'Jacket', metadata: { class: '3b' } }, user);
  await code({ title: 'Bag', metadata: { class: '4a' } }, user);
  await browser.open(codes);
  t.equal(browser.findForm('/views'), null, 'all codes need no view');
  await browser.open(`${codes}?metadata=class:3b&sort=title`);
  await browser.send('/views', { name: 'Class 3b' });
  t.match(browser.path, /\?view=[0-9a-f]{24}&done=view-saved$/);
  t.match(browser.main, 'The view is saved.');
  t.same(listTitles(browser.main), ['Jacket']);
  const [tab] = listTabs(browser.main);
  t.match(tab, { name: 'Class 3b', isCurrent: true });
  await browser.open(codes);
  t.same(listTitles(browser.main).toSorted(), ['Bag', 'Jacket']);
  t.match(listTabs(browser.main), [{ name: 'Class 3b', isCurrent: false }]);
  await browser.open(tab?.href ?? '');
  t.same(listTitles(browser.main), ['Jacket']);
  t.match(
    browser.main,
    `${codes.replace('/codes', '/print')}?sort=title&metadata=class%3A3b`.split('?')[0] ?? '',
  );
  t.match(browser.main, 'metadata=class%3A3b', 'what is printed is what the view has');
});

t.test('a view is renamed, gets other filters, and is deleted with a way back', async (t) => {
  const { browser, codes, user } = await openAccount();
  await code({ title: 'Jacket' }, user);
  await browser.open(`${codes}?kind=PET`);
  await browser.send('/views', { name: 'Pets' });
  const [view = ''] = browser.path.split('&');
  await browser.send('/rename', { name: HOSTILE_NAME });
  t.match(browser.main, 'The view is changed.');
  t.match(listTabs(browser.main), [{ name: HOSTILE_NAME }]);
  t.notMatch(browser.page.text, '<img src=x');
  await browser.send('/rename', { name: ' ' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="name-error"');

  const base = new URL(view, 'https://qr.example.org').searchParams.get('view') ?? '';
  await browser.open(`${codes}?kind=CAR&base=${base}`);
  t.match(browser.main, 'No code matches.');
  await browser.send('/filters');
  t.equal(browser.path, `${view}&done=view-changed`);
  t.match(browser.main, 'No code matches.');

  await browser.send('/delete');
  t.match(browser.main, 'The view is deleted.');
  t.same(listTabs(browser.main), []);
  await browser.send('/restore');
  t.equal(browser.path, `${view}&done=view-restored`);
  t.match(listTabs(browser.main), [{ name: HOSTILE_NAME, isCurrent: true }]);
});

t.test('a view changes places with the one before or behind it', async (t) => {
  const { browser, codes, user } = await openAccount();
  const token = user.accessToken;
  await code({ title: 'Jacket' }, user);
  for (const name of ['Cars', 'Pets', 'Bags']) {
    await browser.open(`${codes}?search=${name}`);
    await browser.send('/views', { name });
  }
  const listNames = () => listTabs(browser.main).map(({ name }) => name);
  t.same(listNames(), ['Cars', 'Pets', 'Bags']);
  t.notMatch(browser.main, 'value="down"', 'the last one');
  await browser.fill('/move');
  t.match(browser.main, 'The view is changed.');
  t.same(listNames(), ['Cars', 'Bags', 'Pets']);
  t.match(listTabs(browser.main)[1], { isCurrent: true }, 'and stays open');
  await browser.fill('/move', { direction: 'up' });
  t.same(listNames(), ['Bags', 'Cars', 'Pets']);
  t.notMatch(browser.main, 'value="up"', 'the first one');
  await browser.fill('/move', { direction: 'down' });
  t.same(listNames(), ['Cars', 'Bags', 'Pets']);

  const views = async () => (await test.call('GET', '/api/saved-views', { token })).body.data;
  const [cars] = await views();
  const put = (ifMatch: string) =>
    test.call('PATCH', `/api/saved-views/${cars.id}`, {
      token,
      body: { position: 3 },
      headers: { 'if-match': ifMatch },
    });
  t.equal((await put('"99"')).status, 412);
  t.equal((await put(`"${cars.version}"`)).status, 200);
  await test.database.client.savedView.updateMany({ where: { accountId: user.id }, data: { position: 7 } });
  await browser.open(codes);
  await browser.open(listTabs(browser.main)[1]?.href ?? '');
  const [first, second] = listNames();
  await browser.fill('/move', { direction: 'up' });
  t.same(listNames().slice(0, 2), [second, first], 'equal positions do not hold it back');
  const stranger = await openAccount();
  const { action } = browser.readForm('/move');
  await stranger.browser.open(codes.replace(user.id, stranger.user.id));
  const body = String(
    new URLSearchParams({
      token: stranger.browser.findForm('/sign-out')?.hidden.token ?? '',
      direction: 'up',
    }),
  );
  const foreign = action.replace(user.id, stranger.user.id);
  t.equal((await stranger.browser.open(foreign, { method: 'POST', body })).status, 404);
});

t.test('a view that is gone, of somebody else, or one too many is explained', async (t) => {
  const { browser, codes, user } = await openAccount();
  await code({ title: 'Jacket' }, user);
  const stranger = await openAccount();
  await stranger.browser.open(`${stranger.codes}?kind=CAR`);
  await stranger.browser.send('/views', { name: 'Cars' });
  const [, query = ''] = stranger.browser.path.split('?');
  await browser.open(`${codes}?${query}`);
  t.match(browser.main, 'This view no longer exists.');
  t.same(listTitles(browser.main), ['Jacket']);

  const data = Array.from({ length: 50 }, (_, index) => ({
    accountId: user.id,
    id: `${String(index).padStart(2, '0')}${'0'.repeat(22)}`,
    name: `View ${index}`,
    query: { kind: 'NO_LONGER', search: 'jack' },
    position: 1,
  }));
  await test.database.client.savedView.createMany({ data });
  await browser.open(`${codes}?search=jack`);
  await browser.send('/views', { name: 'More' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'You have 50 saved views');
  t.match(browser.main, 'value="More"', 'the name stays');
  await browser.open(`${codes}?view=${data[0]?.id}`);
  t.same(listTitles(browser.main), ['Jacket'], 'what the list cannot have is left out');
});

t.test("the owner's own data is a filter with its values and their counts", async (t) => {
  const { browser, codes, user } = await openAccount();
  for (const site of ['Berlin', 'Berlin', 'Rome']) await code({ title: site, metadata: { site } }, user);
  await browser.open(codes);
  t.notMatch(browser.main, 'site:Berlin');
  t.match(browser.main, `${codes}?filters=open`);
  await browser.open(`${codes}?filters=open`);
  t.match(browser.main, '<optgroup label="site (3)">');
  t.match(browser.main, '<option value="site:Berlin">Berlin (2)</option>');
  t.notMatch(browser.main, 'name="pair"', 'all values are in the list');
  await browser.open(`${codes}?metadata=site:Berlin`);
  t.same(listTitles(browser.main), ['Berlin', 'Berlin']);
  t.match(browser.main, '<option value="site:Berlin" selected>Berlin (2)</option>');
  t.match(browser.main, '<option value="site:Rome">Rome (1)</option>');
  await browser.open(`${codes}?metadata=site:Oslo`);
  t.match(browser.main, '<option value="site:Oslo" selected>site:Oslo</option>');

  await code({ title: 'Long', metadata: { note: 'x'.repeat(100) } }, user);
  await browser.open(`${codes}?metadata=site:Rome&pair=note:${'x'.repeat(100)}`);
  t.match(browser.main, 'name="pair"');
  t.same(listTitles(browser.main), ['Long'], 'what is typed in comes first');
});
