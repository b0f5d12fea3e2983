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
  t.match(
    (await browser.open(deleted)).headers,
    { 'content-type': /^image\/(jpeg|webp)$/ },
    'as it is stored',
  );
  t.equal((await other.browser.open(deleted)).status, 404);
  await browser.open(`${path}/codes/${id}/content`);
  await browser.send(`/pictures/${first.id}/restore`);
  t.match(browser.main, 'The photo is back.');
  t.match(await listPictures(), [{ id: second.id }, { id: first.id, position: 2 }]);
  t.notMatch(browser.main, 'Deleted in the last 24 hours');
  t.equal((await browser.open(deleted)).status, 404, 'it is not deleted');
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
