import type { Test } from 'tap';
import { t } from '../../../tap.ts';
import { addSubscription } from '../../billing/subscriptions/subscription-helper.ts';
import { createGalleryClient, createPictureForm, ONE_PIXEL_PNG } from '../../memory-tags/gallery-helper.ts';
import type { TestBrowser } from '../browser.ts';
import { signIn, startOwner } from '../content/owner.ts';

const DOG = {
  kind: 'PET',
  title: 'Rex',
  data: { name: 'Rex', species: 'Dog', owner: { name: 'Ada', phone: '+49 170 1234567' } },
  visibility: { owner: 'PUBLIC' },
};

async function startDesign(t: Test, body: object = DOG) {
  const owner = await startOwner(t);
  await addSubscription(owner.test, owner.user.id, 'PERSONAL');
  const { id } = (await owner.api('POST', '/api/qrcodes', body)).body;
  const page = `${owner.path}/codes/${id}/page`;
  const readDesign = async () => (await owner.api('GET', `/api/qrcodes/${id}`)).body.pageDesign;
  return { ...owner, id, page, readDesign };
}

async function upload(browser: TestBrowser, picture: Buffer | undefined, changes: Record<string, string>) {
  const { action, fields } = browser.readForm('/page/pictures');
  const { body, headers } = createPictureForm(picture, { ...fields, ...changes });
  return browser.open(action, { method: 'POST', body, type: headers['content-type'] });
}

t.test('the color of a page is set, and a light one is refused with a darker one', async (t) => {
  const { test, browser, id, page, readDesign } = await startDesign(t);
  await browser.open(page);
  t.match(browser.main, `href="${page}" aria-current="page"`);
  const brand = browser.readForm('/page').fields.accentColor ?? '';
  t.match(brand, /^#[0-9a-f]{6}$/i);
  await browser.fill('/page');
  t.match(browser.main, 'Saved.');
  t.same(await readDesign(), {}, 'what is as usual is not stored');

  await browser.fill('/page', { accentColor: '#ffd400' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="accentColor-error">White text is hard to read on that color/);
  const darker = browser.readForm('/page').fields.accentColor ?? '';
  t.same(await readDesign(), {});
  await browser.fill('/page');
  t.same(await readDesign(), { accentColor: darker }, 'the darker tone can be saved');
  t.match((await test.call('GET', `/s/${id}`)).text, `:root{--act:${darker}}`);

  for (const accentColor of ['red', '#12345', '#123456;}body{display:none', '"><script>', '#1234567']) {
    await browser.open(page);
    await browser.fill('/page', { accentColor });
    t.equal(browser.page.status, 400, accentColor);
    t.match(browser.main, 'id="accentColor-error"', accentColor);
    t.notMatch(browser.page.text, '"><script>');
    t.equal(browser.readForm('/page').fields.accentColor, brand, 'no color is shown that is none');
  }
  await browser.open(page);
  await browser.fill('/page', { accentColor: brand.toUpperCase() });
  t.same(await readDesign(), {}, 'the color of the service follows the service');
});

t.test('the parts of a page are moved up and down with a button each', async (t) => {
  const { test, browser, id, page, readDesign } = await startDesign(t);
  await browser.open(page);
  t.notMatch(browser.main, 'value="URGENT:up"', 'the first cannot move up');
  t.match(browser.main, 'aria-label="Move “Details” up"');
  await browser.fill('/page', { move: 'DETAILS:up', accentColor: '#123456' });
  t.match(browser.path, /[?]done=saved#order$/);
  t.same(
    await readDesign(),
    { accentColor: '#123456', sectionOrder: ['URGENT', 'DETAILS', 'CONTACTS', 'PIN'] },
    'what else was entered is saved, too',
  );
  const { text } = await test.call('GET', `/s/${id}`);
  t.ok(text.indexOf('Dog') < text.indexOf('tel:'), 'finders see details first');
  await browser.fill('/page', { move: 'DETAILS:down' });
  t.same(await readDesign(), { accentColor: '#123456' }, 'the usual order is not stored');
  for (const move of ['URGENT:up', 'PIN:down', 'HEADER:up', '__proto__:up', 'DETAILS'])
    await browser.fill('/page', { move });
  await browser.fill('/page', { sectionOrder: 'PIN,PIN,HEADER,<b>,NETWORK,DETAILS' });
  t.same(await readDesign(), {
    accentColor: '#123456',
    sectionOrder: ['PIN', 'DETAILS', 'URGENT', 'CONTACTS'],
  });
  await browser.fill('/page', { reset: '1' });
  t.match(browser.main, 'The page has the standard look again.');
  t.same(await readDesign(), {});
  t.notMatch(browser.main, 'name="reset"');
});

t.test('cover and logo are photos of the code, chosen or uploaded', async (t) => {
  const { test, user, browser, api, id, page, readDesign } = await startDesign(t);
  await browser.open(page);
  t.notMatch(browser.main, 'name="coverPictureId"', 'there is nothing to choose from yet');
  await upload(browser, undefined, {});
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="picture-error">Please fill this in/);
  await upload(browser, Buffer.from('<svg/>'), {});
  t.match(browser.main, 'id="picture-error"');
  await upload(browser, ONE_PIXEL_PNG, { use: 'coverPictureId' });
  t.match(browser.main, 'The photo is added.');
  const [first] = (await api('GET', `/api/qrcodes/${id}/pictures`)).body.data;
  t.same(await readDesign(), { coverPictureId: first.id });
  await upload(browser, ONE_PIXEL_PNG, { use: 'logoPictureId' });
  const [, second] = (await api('GET', `/api/qrcodes/${id}/pictures`)).body.data;
  t.match(browser.main, new RegExp(`name="logoPictureId" value="${second.id}" checked`));
  await browser.fill('/page', { coverPictureId: second.id, logoPictureId: '' });
  t.same(await readDesign(), { coverPictureId: second.id });

  const stranger = await signIn(test);
  const { add } = createGalleryClient(test, stranger.user.accessToken, '/api/qrcodes');
  const foreignCode = (await stranger.api('POST', '/api/qrcodes', DOG)).body;
  const foreign = (await add(foreignCode.id, ONE_PIXEL_PNG)).body;
  for (const coverPictureId of [foreign.id, 'x', '<b>', '../..']) {
    await browser.open(page);
    await browser.fill('/page', { coverPictureId });
    t.equal(browser.page.status, 400, coverPictureId);
    t.notMatch(browser.page.text, foreign.id);
    t.notMatch(browser.page.text, '<b>');
  }
  t.same(await readDesign(), { coverPictureId: second.id });
  await stranger.browser.open(page);
  t.equal(stranger.browser.page.status, 404);
  await stranger.browser.open(page.replace(user.id, stranger.user.id));
  t.equal(stranger.browser.page.status, 404);

  await api('DELETE', `/api/qrcodes/${id}/pictures/${second.id}`);
  await browser.open(page);
  await browser.fill('/page', { coverPictureId: '', accentColor: '#123456' });
  t.same(await readDesign(), { accentColor: '#123456' }, 'a deleted photo prevents nothing');
});

t.test('a change of somebody else is not overwritten unseen', async (t) => {
  const { browser, api, id, page, readDesign } = await startDesign(t);
  await browser.open(page);
  await api('PATCH', `/api/qrcodes/${id}`, { title: 'Max' });
  await browser.fill('/page', { accentColor: '#123456' });
  t.equal(browser.page.status, 412);
  t.match(browser.main, 'Somebody else changed this meanwhile.');
  t.equal(browser.readForm('/page').fields.accentColor, '#123456', 'what was entered is still there');
  await browser.fill('/page');
  t.same(await readDesign(), { accentColor: '#123456' });
});

t.test('the frame shows a look that is not saved', async (t) => {
  const { browser, api, id, page, readDesign } = await startDesign(t);
  await browser.open(page);
  t.match(browser.main, `formaction="${page}/preview" formtarget="preview"`);
  const { fields } = browser.readForm('/page');
  const preview = async (changes: Record<string, string>) => {
    const body = String(new URLSearchParams({ ...fields, ...changes }));
    return browser.open(`${page}/preview`, { method: 'POST', body });
  };
  const answer = await preview({ accentColor: '#7A1F5C', sectionOrder: 'DETAILS,CONTACTS' });
  t.equal(answer.status, 200);
  t.match(answer.headers, {
    'content-security-policy': /frame-ancestors 'self'/,
    'cache-control': 'no-store',
  });
  t.match(answer.text, ':root{--act:#7A1F5C}');
  t.ok(answer.text.indexOf('Dog') < answer.text.indexOf('tel:'));
  t.notMatch((await preview({ accentColor: 'red;}' })).text, 'red;}');
  t.equal((await preview({ coverPictureId: id })).status, 200);
  t.same(await readDesign(), {}, 'nothing is saved');
  await api('PATCH', `/api/qrcodes/${id}`, { status: 'PAUSED' });
  await browser.open(page);
  t.notMatch(browser.main, '<iframe');
});

t.test('a plan without a look of its own offers one, and nothing is stored', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  await browser.open(`${path}/codes/${id}/page`);
  t.match(browser.main, 'A look of its own is part of Personal.');
  t.match(browser.main, `href="${path}/settings/plan"`);
  await browser.fill('/page', { accentColor: '#123456' });
  t.equal(browser.page.status, 403);
  t.match(browser.main, 'A look of its own is part of Personal.');
  t.equal(browser.readForm('/page').fields.accentColor, '#123456');
  await upload(browser, ONE_PIXEL_PNG, {});
  t.equal(browser.page.status, 403);
  t.same((await api('GET', `/api/qrcodes/${id}/pictures`)).body.data, [], 'no photo without a use');
});

t.test('each kind has the parts of its page', async (t) => {
  const { browser, api, path } = await startOwner(t);
  const open = async (body: object) => {
    const { id } = (await api('POST', '/api/qrcodes', body)).body;
    await browser.open(`${path}/codes/${id}/page`);
    t.equal(browser.page.status, 200);
    return browser.main;
  };
  const card = await open({ kind: 'MEDICAL', title: 'Card', data: { name: 'Maria' } });
  t.match(card, 'Always first');
  t.notMatch(card, 'value="CONTACTS:down"');
  t.notMatch(card, 'value="PIN:up"', 'nothing moves above what helpers need');
  t.notMatch(card, 'value="coverPictureId"', 'an emergency card has no cover');
  const text = await open({ kind: 'TEXT', title: 'Can', data: { text: 'Water me' } });
  t.notMatch(text, 'type="file"');
  const image = { kind: 'TEXT', mode: 'STATIC', title: 'Can', data: { text: 'Water me' } };
  t.match(await open(image), 'This code has no page');
});
