import { GUEST_BOOK_ENTRY } from '../../../../src/features/memory-tags/index.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { insertMembership, insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../../memory-tags/gallery-helper.ts';
import { signIn, startOwner } from '../content/owner.ts';

t.test('one form makes the code and the memorial, once', async (t) => {
  const { browser, api, path, test } = await startOwner(t);
  await browser.open(`${path}/codes/new`);
  t.match(browser.main, `href="${path}/memorials/new"`);
  await browser.open(`${path}/memorials/new`);
  const form = browser.page;
  await browser.fill('/memorials', { name: ' ' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="name-error"');
  browser.page = form;
  const values = { name: 'Ada <b>Lovelace</b>', bornOn: '1815-12-10', diedOn: '1852', story: 'She wrote.' };
  await browser.fill('/memorials', { ...values, diedOn: '1800' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="diedOn-error"');
  browser.page = form;
  await browser.fill('/memorials', { ...values, guestBookOpen: 'on' });
  t.match(browser.main, 'The memorial is ready.');
  t.notMatch(browser.page.text, '<b>Lovelace');
  browser.page = form;
  await browser.fill('/memorials', { ...values, guestBookOpen: 'on' });
  const { data: tags } = (await api('GET', '/api/memory-tags')).body;
  const { data: codes } = (await api('GET', '/api/qrcodes')).body;
  t.match(codes, [{ kind: 'MEMORY_TAG', title: 'Ada <b>Lovelace</b>' }]);
  t.match(tags, [{ ...values, qrCodeId: codes[0].id, guestBookOpen: true, anniversaryReminders: false }]);
  t.same([tags.length, codes.length], [1, 1]);

  const address = `${path}/memorials/${tags[0].id}`;
  await browser.open(`${path}/codes/${codes[0].id}`);
  t.match(browser.main, `href="${address}">Open the memorial`);
  await browser.open(address);
  await browser.fill(`/memorials/${tags[0].id}`, { epitaph: 'First', anniversaryReminders: 'on' });
  t.match(browser.main, 'Saved.');
  t.match((await api('GET', `/api/memory-tags/${tags[0].id}`)).body, {
    epitaph: 'First',
    guestBookOpen: false,
    anniversaryReminders: true,
  });
  await browser.fill(`/memorials/${tags[0].id}`, { version: '1' });
  t.equal(browser.page.status, 412);

  const other = await signIn(test);
  for (const part of ['', '/pictures', '/places', '/guest-book', '/caretakers'])
    t.equal((await other.browser.open(`${address}${part}`)).status, 404, part);
  await browser.open(address);
  await browser.send('/delete');
  t.match(browser.main, 'The memorial is deleted.');
  t.same((await api('GET', '/api/memory-tags')).body.data, []);
  t.equal((await api('GET', '/api/qrcodes')).body.data.length, 1, 'the code stays');
});

t.test(
  'deleted entries of the guest book have pages, and one that cannot be restored says why',
  async (t) => {
    const { browser, user, api, path, test } = await startOwner(t);
    await browser.open(`${path}/memorials/new`);
    await browser.fill('/memorials', { name: 'Ada', guestBookOpen: 'on' });
    const [tag] = (await api('GET', '/api/memory-tags')).body.data;
    const createEntry = (index: number, deletedAt: Date | null) => {
      const row = { id: generateId(), accountId: user.id, memoryTagId: tag.id, deletedAt };
      const message = `Entry ${index}.`;
      return {
        ...row,
        content: GUEST_BOOK_ENTRY.encrypt(test.services.fieldCipher, row, { name: null, message }),
      };
    };
    const now = Date.now();
    const deleted = Array.from({ length: 30 }, (_one, index) => createEntry(index, new Date(now - index)));
    await test.database.client.guestBookEntry.createMany({ data: deleted });
    const address = `${path}/memorials/${tag.id}/guest-book`;
    await browser.open(address);
    const listMessages = () => [...browser.main.matchAll(/Entry (\d+)\./g)].map(([, index]) => Number(index));
    t.same(listMessages(), [...Array(25).keys()], 'the last deleted first');
    const [, next = ''] = /href="([^"]*\?deleted=[^"]*)#deleted"/.exec(browser.main) ?? [];
    await browser.open(next);
    t.same(listMessages(), [25, 26, 27, 28, 29]);
    t.match(browser.main, '<details id="deleted" open>');

    const pending = Array.from({ length: 500 }, (_one, index) => createEntry(index + 100, null));
    await test.database.client.guestBookEntry.createMany({ data: pending });
    await browser.send(`/${deleted[25]?.id}/restore`);
    t.equal(browser.page.status, 409);
    t.match(browser.main, 'Too many entries wait for your decision.');
    const findLink = (name: string) =>
      new RegExp(`href="([^"#]*\\?${name}=[^"#]*)`).exec(browser.main)?.[1] ?? '';
    const links = [findLink('cursor'), findLink('deleted')];
    t.match(links, [address, address]);
    for (const link of links) t.match(await browser.open(link), { status: 200 }, link);
  },
);

t.test('several entries of the guest book are decided at once', async (t) => {
  const { browser, user, api, path, test } = await startOwner(t);
  await browser.open(`${path}/memorials/new`);
  await browser.fill('/memorials', { name: 'Ada', guestBookOpen: 'on' });
  const [tag] = (await api('GET', '/api/memory-tags')).body.data;
  const { client } = test.database;
  const sign = async (message: string) => {
    const row = { id: generateId(), accountId: user.id };
    const content = GUEST_BOOK_ENTRY.encrypt(test.services.fieldCipher, row, { name: null, message });
    await client.guestBookEntry.create({ data: { ...row, memoryTagId: tag.id, content } });
    return row.id;
  };
  const address = `${path}/memorials/${tag.id}/guest-book`;
  await browser.open(address);
  t.match(browser.main, 'Nobody has signed');
  const [first, second, third] = [await sign('<b>one'), await sign('two'), await sign('three')];
  await browser.open(address);
  t.notMatch(browser.page.text, '<b>one');
  for (const id of [first, second, third]) t.match(browser.main, `name="entry-${id}" value="on" checked`);
  const decisions =
    /<form method="post" action="[^"]*\/guest-book">.*?<\/form>/s.exec(browser.main)?.[0] ?? '';
  const [pressedByEnter] = [...decisions.matchAll(/<button(?![^>]* form=)[^>]*>/g)].map(String);
  t.equal(pressedByEnter, '<button name="state" value="APPROVED">');
  const deletion = /<button[^>]* form="([^"]*)" formaction="[^"]*\/delete">/.exec(decisions)?.[1];
  t.match(browser.main, `<form method="post" id="${deletion}"><input type="hidden" name="token"`);
  const chosen = { [`entry-${first}`]: 'on', [`entry-${second}`]: 'on', 'entry-none': 'on' };
  await browser.send('/guest-book', { ...chosen, state: 'APPROVED' });
  const readStates = async () =>
    Object.fromEntries((await client.guestBookEntry.findMany()).map(({ id, state }) => [id, state]));
  t.same(await readStates(), { [first]: 'APPROVED', [second]: 'APPROVED', [third]: 'PENDING' });
  await browser.send('/guest-book', { [`entry-${first}`]: 'on', state: 'HIDDEN' });
  t.match(await readStates(), { [first]: 'HIDDEN', [second]: 'APPROVED' });
  await browser.send('/guest-book', { [`entry-${first}`]: 'on', state: 'GONE' });
  t.equal(browser.page.status, 400);

  await browser.open(address);
  const { token = '' } = browser.findForm('/guest-book')?.hidden ?? {};
  t.match(browser.main, `formaction="${address}/${second}/delete"`);
  const body = String(new URLSearchParams({ token }));
  await browser.open(`${address}/${second}/delete`, { method: 'POST', body });
  t.equal(browser.path, `${address}?done=entry-deleted&id=${second}`);
  t.match(browser.main, 'The entry is deleted.');
  t.notMatch(browser.main, `name="entry-${second}"`);
  await browser.send(`/${second}/restore`);
  t.match(browser.main, 'The entry is back.');
  t.match(browser.main, `name="entry-${second}"`);
  t.match(await readStates(), { [second]: 'APPROVED' }, 'as visible as it was');
  await browser.open(`${address}/${first}/delete`, { method: 'POST', body });
  await browser.open(address);
  t.match(browser.main, /<summary>Deleted<\/summary>.*<b>one.*29 days/s, 'and later, for a month');
  await client.guestBookEntry.updateMany({
    where: { id: { in: [first, third] } },
    data: { content: Buffer.from('damaged') },
  });
  await browser.open(address);
  t.equal(browser.page.status, 200, 'one that cannot be read hides no other');
  t.equal(browser.main.match(/This message can’t be read/g)?.length, 2);
  await browser.send(`/${first}/restore`);
  t.match(browser.main, `name="entry-${first}"`);
});

t.test('deleted entries of the guest book are for those who may restore them', async (t) => {
  const { browser, user, test } = await startOwner(t);
  const reader = await signIn(test);
  const accountId = await insertOrganization(test, { members: [{ userId: user.id, role: 'EDITOR' }] });
  await insertMembership(test, accountId, { userId: reader.user.id, role: 'VIEWER' });
  const call = (token: string, method: string, url: string, body?: object) =>
    test.call(method, url, { token, headers: { 'account-id': accountId }, ...(body && { body }) });
  const tag = (await call(user.accessToken, 'POST', '/api/memory-tags', { name: 'Ada' })).body.id;
  const row = { id: generateId(), accountId };
  const entry = { name: null, message: 'Taken back.' };
  const content = GUEST_BOOK_ENTRY.encrypt(test.services.fieldCipher, row, entry);
  await test.database.client.guestBookEntry.create({
    data: { ...row, memoryTagId: tag, content, deletedAt: new Date() },
  });
  const address = `/app/${accountId}/memorials/${tag}/guest-book`;
  const deleted = `/api/memory-tags/${tag}/guest-book?deleted=true`;
  t.match(await call(user.accessToken, 'GET', deleted), { status: 200, body: { data: [{ id: row.id }] } });
  t.match(await call(reader.user.accessToken, 'GET', deleted), { status: 403, body: { code: 'FORBIDDEN' } });
  t.match((await browser.open(address)).text, 'Taken back.');
  const page = await reader.browser.open(address);
  t.equal(page.status, 200);
  t.notMatch(page.text, 'Taken back.');
});

t.test('pictures are added and deleted, and caretakers change them, too', async (t) => {
  const { browser, api, path, test } = await startOwner(t);
  await browser.open(`${path}/memorials/new`);
  await browser.fill('/memorials', { name: 'Ada' });
  const [tag] = (await api('GET', '/api/memory-tags')).body.data;
  const address = `${path}/memorials/${tag.id}`;
  const helper = await signIn(test);

  await browser.open(`${address}/caretakers`);
  await browser.fill('/caretakers', { email: 'x' });
  t.match(browser.main, 'id="email-error"');
  await browser.fill('/caretakers', { email: helper.user.email });
  t.match(browser.main, helper.user.email);

  await helper.browser.open(`${helper.path}/memorials`);
  t.match(helper.browser.main, /Memorials you help with.*Ada/s);
  const theirs = `${helper.path}/memorials/${tag.id}`;
  await helper.browser.open(`${theirs}/pictures`);
  const { action, fields } = helper.browser.readForm('/pictures');
  const { body, headers } = createPictureForm(ONE_PIXEL_PNG, { ...fields, caption: 'At sea' });
  await helper.browser.open(action, { method: 'POST', body, type: headers['content-type'] });
  t.match(helper.browser.main, 'The photo is added.');
  await browser.open(`${address}/pictures`);
  const source = /<img src="([^"]*)"/.exec(browser.main)?.[1] ?? '';
  t.match((await browser.open(source)).headers, { 'content-type': /^image\// });
  await helper.browser.open(theirs);
  t.equal(helper.browser.findForm('/delete'), null, 'only the owner deletes it');
  t.equal((await helper.browser.open(`${theirs}/caretakers`)).status, 403);

  await browser.open(`${address}/pictures`);
  await browser.send('/delete');
  t.match(browser.main, 'The photo is deleted.');
  await browser.open(`${address}/caretakers`);
  await browser.send('/remove');
  t.notMatch(browser.main, helper.user.email);
  t.equal((await helper.browser.open(theirs)).status, 404);
});

t.test('places are added by name, with a position from a map, sorted and removed', async (t) => {
  const { browser, api, path } = await startOwner(t);
  await browser.open(`${path}/memorials/new`);
  await browser.fill('/memorials', { name: 'Ada' });
  const [tag] = (await api('GET', '/api/memory-tags')).body.data;
  const address = `${path}/memorials/${tag.id}/places`;
  const readPlaces = async () => (await api('GET', `/api/memory-tags/${tag.id}`)).body.places;
  await browser.open(address);
  await browser.fill('/places', { label: ' <b>London</b> ', kind: 'BIRTH', position: '51.5074, -0.1278' });
  t.match(browser.main, 'Saved.');
  t.notMatch(browser.page.text, '<b>London');
  t.match(browser.main, 'openstreetmap.org');
  const old = browser.page;
  const link = 'https://www.openstreetmap.org/?mlat=53.02&mlon=-1.2#map=17/53.02/-1.2';
  await browser.fill('/places', { label: 'Hucknall', kind: 'GRAVE', position: link });
  await browser.fill('/places', { label: 'Somewhere', kind: 'OTHER' });
  const london = { label: '<b>London</b>', kind: 'BIRTH', latitude: 51.5074, longitude: -0.1278 };
  const hucknall = { label: 'Hucknall', kind: 'GRAVE', latitude: 53.02, longitude: -1.2 };
  const somewhere = { label: 'Somewhere', kind: 'OTHER' };
  t.same(await readPlaces(), [london, hucknall, somewhere]);

  for (const [values, field] of [
    [{ label: ' ' }, 'label'],
    [{ label: 'x'.repeat(201) }, 'label'],
    [{ label: 'Paris', position: '52,51' }, 'position'],
    [{ label: 'Paris', position: '151.5, 0.5' }, 'position'],
    [{ label: 'Paris', position: 'https://example.org/?q=51.5,0.1' }, 'position'],
  ] as const) {
    await browser.open(address);
    await browser.fill('/places', values);
    t.equal(browser.page.status, 400, JSON.stringify(values));
    t.match(browser.main, `id="${field}-error"`);
  }
  browser.page = old;
  await browser.fill('/places', { label: 'Late' });
  t.equal(browser.page.status, 412, 'changed elsewhere in the meantime');

  await browser.open(address);
  await browser.send('/places/order', { index: '2', action: 'up' });
  t.same(await readPlaces(), [london, somewhere, hucknall]);
  for (const index of ['0', '7', '-1', '1.5', 'x', '']) {
    await browser.send('/places/order', { index, action: 'up' });
    t.same(await readPlaces(), [london, somewhere, hucknall], `${index} has no predecessor`);
  }
  await browser.send('/places/order', { index: '1', action: 'remove' });
  t.same(await readPlaces(), [london, hucknall]);
});

t.test('a caretaker changes places, and stops helping', async (t) => {
  const { browser, api, path, test } = await startOwner(t);
  await browser.open(`${path}/memorials/new`);
  await browser.fill('/memorials', { name: 'Ada' });
  const [tag] = (await api('GET', '/api/memory-tags')).body.data;
  const helper = await signIn(test);
  await browser.open(`${path}/memorials/${tag.id}/caretakers`);
  await browser.fill('/caretakers', { email: helper.user.email });
  const address = `${helper.path}/memorials/${tag.id}`;
  await helper.browser.open(`${address}/places`);
  await helper.browser.fill('/places', { label: 'London', kind: 'OTHER' });
  t.match((await api('GET', `/api/memory-tags/${tag.id}`)).body.places, [{ label: 'London' }]);
  await browser.open(`${path}/memorials/${tag.id}`);
  t.notMatch(browser.main, 'Stop helping');
  await helper.browser.open(address);
  t.match(helper.browser.main, 'Stop helping');
  await helper.browser.send('/leave');
  t.match(helper.browser.main, 'You no longer help with this memorial.');
  t.notMatch(helper.browser.main, 'Ada');
  t.equal((await helper.browser.open(address)).status, 404);
  const { data: entries } = (await api('GET', '/api/audit/mine')).body;
  t.match(entries[0] ?? {}, { action: /^MEMORY_TAG_/ });
});

t.test('a memorial is archived from its page, and its code with it', async (t) => {
  const { browser, path, api } = await startOwner(t);
  await browser.open(`${path}/memorials/new`);
  await browser.fill('/memorials', { name: 'Grandma', subject: 'PERSON' });
  const [memorial] = (await api('GET', '/api/memory-tags')).body.data;
  const readStatus = async () => (await api('GET', `/api/qrcodes/${memorial.qrCodeId}`)).body.status;
  const address = `${path}/memorials/${memorial.id}`;
  await browser.open(address);
  t.match(browser.main, 'The code stays', 'what deleting does to the code');
  t.match(browser.main, '<h2>Archive</h2>', 'what the text below is about');
  await browser.send('/pause');
  t.equal(browser.path, address);
  t.match(browser.main, 'This memorial is archived');
  t.equal(await readStatus(), 'PAUSED');
  await browser.send('/resume');
  t.equal(browser.path, address);
  t.match(browser.main, 'Visitors who scan the code no longer see');
  t.equal(await readStatus(), 'ACTIVE');
});
