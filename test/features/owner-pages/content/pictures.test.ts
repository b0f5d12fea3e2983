import { insertMembership, insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../../memory-tags/gallery-helper.ts';
import type { TestBrowser } from '../browser.ts';
import { signIn, startOwner } from './owner.ts';

/** Choose a file in the form that is shown, and send it. */
async function upload(
  browser: TestBrowser,
  picture: Buffer | undefined,
  changes: Record<string, string> = {},
) {
  const { action, fields } = browser.readForm('/pictures');
  const { body, headers } = createPictureForm(picture, { ...fields, ...changes });
  return browser.open(action, { method: 'POST', body, type: headers['content-type'] });
}

t.test('photos are added, described, ordered and deleted', async (t) => {
  const { test, browser, api, path } = await startOwner(t);
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  const listPictures = async () => (await api('GET', `/api/qrcodes/${id}/pictures`)).body.data;
  await browser.open(`${path}/codes/${id}/content`);
  const { page } = browser;
  await upload(browser, ONE_PIXEL_PNG, { caption: 'Left <b>ear</b>' });
  t.match(browser.main, 'The photo is added.');
  t.notMatch(browser.page.text, '<b>ear');
  browser.page = page;
  await upload(browser, ONE_PIXEL_PNG, { caption: 'Left <b>ear</b>' });
  t.equal((await listPictures()).length, 1, 'a form that is sent twice adds one');
  await browser.open(`${path}/codes/${id}/content`);
  await upload(browser, ONE_PIXEL_PNG);
  const [first, second] = await listPictures();
  t.match([first, second], [{ caption: 'Left <b>ear</b>' }, { caption: null }]);

  const source = /<img src="([^"]*)"/.exec(browser.main)?.[1] ?? '';
  t.match((await browser.open(source)).headers, { 'content-type': /^image\// }, 'the page shows it');
  await browser.open(`${path}/codes/${id}/content`);
  await browser.fill(`/pictures/${second.id}`, {
    [`position-${second.id}`]: '1',
    [`caption-${second.id}`]: 'Asleep',
  });
  t.match(await listPictures(), [
    { id: second.id, caption: 'Asleep' },
    { id: first.id, position: 2 },
  ]);
  await browser.fill(`/pictures/${second.id}`, { version: '1' });
  t.equal(browser.page.status, 412);
  t.match(browser.main, 'Somebody else changed this meanwhile');
  await browser.fill(`/pictures/${second.id}`, { [`position-${second.id}`]: '7' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, `id="position-${second.id}-error"`);

  const other = await signIn(test);
  t.equal((await other.browser.open(source)).status, 404);
  t.equal((await test.call('GET', source)).status, 303, 'only its owner sees it here');
  await browser.open(`${path}/codes/${id}/content`);
  await browser.fill(`/pictures/${first.id}/delete`);
  t.match(browser.main, 'The photo is deleted.');
  t.match(await listPictures(), [{ id: second.id, position: 1 }]);
  await browser.open(`${path}/codes/${id}/content`);
  t.match(browser.main, /<summary>Deleted in the last 24 hours<\/summary>.*ear.*within a day/s);
  const [deleted = ''] = /[^"]*\?deleted=true/.exec(browser.main) ?? [];
  t.match(deleted, `/pictures/${first.id}`);
  const { headers } = await browser.open(deleted);
  t.match(headers, { 'content-type': /^image\/(jpeg|webp)$/, 'content-length': /^\d+$/ }, 'as it is stored');
  t.match(await browser.open(deleted, { method: 'HEAD' }), {
    status: 200,
    headers: { 'content-length': headers['content-length'] },
    text: '',
  });
  t.equal((await other.browser.open(deleted)).status, 404);
  await browser.open(`${path}/codes/${id}/content`);
  await browser.send(`/pictures/${first.id}/restore`);
  t.match(browser.main, 'The photo is back.');
  t.match(await listPictures(), [{ id: second.id }, { id: first.id, position: 2 }]);
  t.notMatch(browser.main, 'Deleted in the last 24 hours');
  t.equal((await browser.open(deleted)).status, 404, 'it is not deleted');
});

t.test('the page lists each deleted photo that can be restored', async (t) => {
  const { browser, api, test, user, path } = await startOwner(t);
  const { id } = (await api('POST', '/api/qrcodes', { kind: 'PET', title: 'Rex', data: { name: 'Rex' } }))
    .body;
  const ids: string[] = [];
  for (let count = 0; count < 11; count += 1) {
    const sent = { token: user.accessToken, ...createPictureForm(ONE_PIXEL_PNG) };
    const added = await test.call('POST', `/api/qrcodes/${id}/pictures`, sent);
    t.equal(added.status, 201, added.text);
    ids.push(added.body.id);
    await api('DELETE', `/api/qrcodes/${id}/pictures/${added.body.id}`);
  }
  await browser.open(`${path}/codes/${id}/content`);
  for (const one of ids) t.ok(browser.findForm(`/pictures/${one}/restore`), one);
});

t.test('what is no photo is refused at its field, and a form without its token as a whole', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  await browser.open(`${path}/codes/${id}/content`);
  await upload(browser, undefined);
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="picture-error">Please fill this in/);
  await upload(browser, Buffer.from('<svg onload="alert(1)"/>'));
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="picture-error"');
  await upload(browser, ONE_PIXEL_PNG, { token: 'forged' });
  t.equal(browser.page.status, 403);
  t.same((await api('GET', `/api/qrcodes/${id}/pictures`)).body.data, []);
});

t.test('a kind without photos has no form for them', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const body = { kind: 'TEXT', title: 'Can', data: { text: 'Water me' } };
  const { id } = (await api('POST', '/api/qrcodes', body)).body;
  await browser.open(`${path}/codes/${id}/content`);
  t.notMatch(browser.main, 'type="file"');
});

t.test('deleted photos are for those who may restore them', async (t) => {
  const { test, browser, user } = await startOwner(t);
  const reader = await signIn(test);
  const accountId = await insertOrganization(test, { members: [{ userId: user.id, role: 'EDITOR' }] });
  await insertMembership(test, accountId, { userId: reader.user.id, role: 'VIEWER' });
  const headers = { 'account-id': accountId };
  const call = (token: string, method: string, url: string, options: Parameters<typeof test.call>[2] = {}) =>
    test.call(method, url, { token, ...options, headers: { ...headers, ...options.headers } });
  const editor = user.accessToken;
  const pet = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const code = (await call(editor, 'POST', '/api/qrcodes', { body: pet })).body.id;
  const tag = (await call(editor, 'POST', '/api/memory-tags', { body: { name: 'Ada' } })).body.id;
  for (const [api, path, part] of [
    [`/api/qrcodes/${code}`, `/app/${accountId}/codes/${code}`, '/content'],
    [`/api/memory-tags/${tag}`, `/app/${accountId}/memorials/${tag}`, '/pictures'],
  ] as const) {
    const added = await call(editor, 'POST', `${api}/pictures`, createPictureForm(ONE_PIXEL_PNG));
    t.equal(added.status, 201, added.text);
    const picture = `${path}/pictures/${added.body.id}`;
    t.equal((await reader.browser.open(picture)).status, 200, 'a reader sees it until then');
    await call(editor, 'DELETE', `${api}/pictures/${added.body.id}`);
    const list = (token: string) => call(token, 'GET', `${api}/pictures?deleted=true`);
    t.match(await list(editor), { status: 200, body: { data: [{ id: added.body.id }] } });
    t.match(await list(reader.user.accessToken), { status: 403, body: { code: 'FORBIDDEN' } });
    t.equal((await browser.open(`${picture}?deleted=true`)).status, 200);
    t.equal((await reader.browser.open(`${picture}?deleted=true`)).status, 404);
    t.match((await browser.open(`${path}${part}`)).text, added.body.id);
    const page = await reader.browser.open(`${path}${part}`);
    t.equal(page.status, 200);
    t.notMatch(page.text, added.body.id);
  }
});
