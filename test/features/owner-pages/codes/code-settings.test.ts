import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signIn, startOwner } from '../content/owner.ts';

t.test('number, notifications, messages, last day and own data of a code are changed', async (t) => {
  const { browser, user, test, api, path } = await startOwner(t);
  await test.database.client.user.update({ where: { id: user.id }, data: { timeZone: 'Asia/Tokyo' } });
  const { id } = await createTestCode(test, user, { title: 'Rex', metadata: { old: '1', site: 'Paris' } });
  const address = `${path}/codes/${id}/settings`;
  const read = async () => (await api('GET', `/api/qrcodes/${id}`)).body;
  await browser.open(address);
  t.equal(browser.readForm('/settings').fields.metadata, 'old: 1\nsite: Paris');
  const old = browser.page;
  await browser.fill('/settings');
  t.match(await read(), { version: 1, notifyOn: 'EVERY_SCAN', expiresAt: null, externalId: null }, 'nothing');
  await browser.fill('/settings', {
    externalId: ' R-17 ',
    notifyOn: 'ONLY_LOST',
    contactable: 'no',
    lastDay: '2100-02-28',
    metadata: 'site: Berlin: north\n\n  class: 4b',
  });
  t.match(browser.main, 'Saved.');
  t.match(await read(), {
    externalId: 'R-17',
    notifyOn: 'ONLY_LOST',
    contactable: false,
    expiresAt: '2100-02-28T15:00:00.000Z',
  });
  t.same((await read()).metadata, { class: '4b', site: 'Berlin: north' });
  t.match(browser.readForm('/settings').fields, { lastDay: '2100-02-28', contactable: 'no' });
  t.notOk('showsPage' in browser.readForm('/settings').fields, 'only a link has a page before it');
  await browser.open(`${path}/codes?externalId=R-17`);
  t.match(browser.main, 'Rex');
  await browser.open(`${path}/codes?externalId=R-18`);
  t.notMatch(browser.main, 'Rex');

  for (const [values, field] of [
    [{ externalId: 'with space' }, 'externalId'],
    [{ externalId: 'x'.repeat(101) }, 'externalId'],
    [{ notifyOn: 'constructor' }, 'notifyOn'],
    [{ lastDay: '2001-01-01' }, 'lastDay'],
    [{ lastDay: '2100-02-30' }, 'lastDay'],
    [{ metadata: 'no pair' }, 'metadata'],
    [{ metadata: 'site: a\nsite: b' }, 'metadata'],
    [{ metadata: 'with space: a' }, 'metadata'],
    [{ metadata: `site: ${'x'.repeat(501)}` }, 'metadata'],
  ] as const) {
    await browser.open(address);
    await browser.fill('/settings', values);
    t.equal(browser.page.status, 400, JSON.stringify(values).slice(0, 60));
    t.match(browser.main, `id="${field}-error"`, field);
  }
  await browser.open(address);
  const many = Array.from({ length: 51 }, (_one, index) => `f${index}: 1`).join('\n');
  await browser.fill('/settings', { metadata: many });
  t.equal(browser.page.status, 400);
  t.equal(browser.readForm('/settings').fields.metadata, many, 'what was entered is still there');
  browser.page = old;
  await browser.fill('/settings', { externalId: 'R-18' });
  t.equal(browser.page.status, 412);
  await createTestCode(test, user, { title: 'Bella', externalId: 'R-19' });
  await browser.open(address);
  await browser.fill('/settings', { externalId: 'R-19' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Another of your codes has this number.');
  await browser.open(address);
  await browser.fill('/settings', { lastDay: '', metadata: '', externalId: '' });
  t.match(await read(), { externalId: null, expiresAt: null, metadata: {} });
  const stranger = await signIn(test);
  t.equal((await stranger.browser.open(address)).status, 404);
});

t.test('a link shows its page before it opens, if its owner wants it', async (t) => {
  const { browser, user, test, api, path } = await startOwner(t);
  const { id } = await createTestCode(test, user, { kind: 'URL', data: { url: 'https://example.org/' } });
  await browser.open(`${path}/codes/${id}/settings`);
  await browser.fill('/settings', { showsPage: 'yes' });
  t.equal((await api('GET', `/api/qrcodes/${id}`)).body.showsPage, true);
});

t.test('codes are downloaded as a table', async (t) => {
  const { browser, user, test, path } = await startOwner(t);
  await createTestCode(test, user, { title: 'Rex' });
  await createTestCode(test, user, { title: '=Note', kind: 'TEXT', data: { text: 'hello' } });
  await browser.open(`${path}/codes?kind=PET`);
  t.match(browser.main, `href="${path}/codes/export?kind=PET" download`);
  const pets = await browser.open(`${path}/codes/export?kind=PET`);
  t.match(pets, { status: 200, headers: { 'content-type': /^text\/csv/, 'cache-control': 'no-store' } });
  t.match(pets.text, 'Rex');
  t.notMatch(pets.text, 'hello');
  const all = await browser.open(`${path}/codes/export?kind=constructor`);
  t.match(all.text, /Rex/);
  t.match(all.text, `'=Note`, 'no formula');
  t.equal(await test.database.client.auditEntry.count({ where: { action: 'QRCODES_EXPORTED' } }), 2);
});
