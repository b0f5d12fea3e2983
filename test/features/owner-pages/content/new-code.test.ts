import { gzipSync } from 'node:zlib';
import { QR_CODE_KINDS } from '../../../../src/features/codes/index.ts';
import { t } from '../../../tap.ts';
import { signIn, startOwner } from './owner.ts';

t.test('a code for a dog is made in one short form', async (t) => {
  const { browser, api, path } = await startOwner(t);
  await browser.open(`${path}/codes/new`);
  t.equal(browser.title, 'What should the code be on?');
  await browser.open(`${path}/codes/new/pet`);
  t.equal(browser.title, 'New code: Pet');
  await browser.fill('/new/pet', { 'data.name': 'Rex', 'data.owner.phone': 'call me' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="data\.owner\.name-error">Please fill this in/, 'each error stands at its field');
  t.match(browser.main, /id="data\.owner\.phone-error">This is not a phone number/);
  t.match(browser.main, 'value="Rex"', 'what was entered is still there');
  await browser.fill('/new/pet', { 'data.owner.name': 'Anna', 'data.owner.phone': '+49 170 1234567' });
  t.match(browser.path, /\/codes\/[0-9a-f]{24}\/content\?done=created$/);
  t.equal(browser.title, 'Rex', 'its name is the title unless another is written');
  const { data } = (await api('GET', '/api/qrcodes?include=data')).body;
  t.match(data, [{ kind: 'PET', title: 'Rex' }]);
  t.same(data[0].data, { name: 'Rex', owner: { name: 'Anna', phone: '+49 170 1234567' } });
});

t.test('every kind can be made, and every tile leads to a form', async (t) => {
  const { browser, api, path } = await startOwner(t);
  await browser.open(`${path}/codes/new`);
  const links = [...browser.main.matchAll(/href="([^"]*\/(?:codes\/new\/|memorials\/new)[^"]*)"/g)].map(
    ([, link = '']) => link,
  );
  t.equal(links.length, QR_CODE_KINDS.length);
  for (const link of links) {
    await browser.open(link);
    t.equal(browser.page.status, 200, link);
    t.ok(gzipSync(browser.page.text).length < 14_000, `${link} arrives with the first bytes`);
  }
  await browser.open(`${path}/codes/new/location`);
  await browser.fill('/new/location', { 'data.latitude': '52,5', 'data.longitude': '13.4' });
  t.equal(browser.title, 'Location');
  t.match((await api('GET', '/api/qrcodes?include=data')).body.data, [
    { data: { latitude: 52.5, longitude: 13.4 } },
  ]);
  t.equal((await browser.open(`${path}/codes/new/unknown`)).status, 404);
});

t.test('who sees a medical card is asked, and its title has no name', async (t) => {
  const { browser, api, path } = await startOwner(t);
  await browser.open(`${path}/codes/new/medical`);
  await browser.fill('/new/medical', { 'data.name': 'Maria K.', 'data.bloodType': 'O-' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="audience-error"');
  t.notMatch(/<title>(.*?)<\/title>/.exec(browser.page.text)?.[1], 'Maria');
  await browser.fill('/new/medical', { audience: 'EVERYONE' });
  t.equal(browser.title, 'Medical ID');
  const [code] = (await api('GET', '/api/qrcodes?include=data')).body.data;
  t.match(code, { title: 'Medical ID', data: { name: 'Maria K.', bloodType: 'O-' } });
  t.equal((await api('GET', `/api/qrcodes/${code.id}`)).body.visibility.bloodType, 'PUBLIC');
});

t.test('a form that is sent twice makes one code', async (t) => {
  const { browser, api, path } = await startOwner(t);
  await browser.open(`${path}/codes/new/text`);
  const { page } = browser;
  await browser.fill('/new/text', { 'data.text': 'Water me' });
  const first = browser.path;
  browser.page = page;
  await browser.fill('/new/text', { 'data.text': 'Water me' });
  t.equal(browser.path, first);
  t.equal((await api('GET', '/api/qrcodes')).body.data.length, 1);
  browser.page = page;
  await browser.fill('/new/text', { 'data.text': 'Feed me' });
  t.match(browser.main, 'You have created this code already');
  await browser.fill('/new/text');
  t.equal((await api('GET', '/api/qrcodes')).body.data.length, 2);
});

t.test('hostile content is text, and the form of somebody else is none', async (t) => {
  const { test, browser, api, path } = await startOwner(t);
  const hostile = '"><script>alert(1)</script>';
  await browser.open(`${path}/codes/new/pet`);
  await browser.fill('/new/pet', { 'data.name': hostile, 'data.weightKg': hostile });
  t.equal(browser.page.status, 400);
  t.notMatch(browser.page.text, '<script>alert');
  await browser.fill('/new/pet', { 'data.weightKg': '' });
  t.notMatch(browser.page.text, '<script>alert');
  t.equal((await api('GET', '/api/qrcodes')).body.data[0].title, hostile);
  const other = await signIn(test);
  t.equal((await other.browser.open(`${path}/codes/new`)).status, 404);
  await browser.open(`${path}/codes/new/pet`);
  const forged = await browser.fill('/new/pet', { 'data.name': 'Rex', token: 'forged' });
  t.equal(forged.status, 403, 'a form needs its token');
  t.equal((await api('GET', '/api/qrcodes')).body.data.length, 1);
});
