import type { Test } from 'tap';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { startTestApp, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createTestPdf, uploadDocument } from '../documents/upload.ts';
import { ONE_PIXEL_PNG } from '../memory-tags/gallery-helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TITLE = 'Rental contract of “Müller & <b>Söhne</b>”';

const getFieldValue = (page: TestResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';
const getCookie = (answer: TestResponse) => String(answer.headers['set-cookie']).split(';')[0] ?? '';

const contentIn = ({ headers }: Pick<TestResponse, 'headers'>) =>
  String(headers.refresh).replace(/^0; url=/, '');

async function startSharing(t: Test) {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { accessToken: token, id: accountId } = await createUser();
  const { body: document } = await uploadDocument(test, token, createTestPdf('it'), { title: TITLE });
  const share = async (body: object = {}, of = document.id) =>
    (await call('POST', `/api/documents/${of}/shares`, { token, body })).body;
  const post = (path: string, fields: Record<string, string>, cookie = '', headers = {}) =>
    call('POST', path, {
      body: String(new URLSearchParams(fields)),
      headers: { ...FORM, cookie, ...headers },
    });
  /** Open a share link and follow its redirect. */
  const visit = async (url: string, language = 'en') => {
    const headers = { 'accept-language': language };
    const link = await call('GET', url.replace('https://qr.example.org', ''), { headers });
    const cookie = getCookie(link);
    const path = String(link.headers.location ?? '');
    const page = path ? await call('GET', path, { headers: { ...headers, cookie } }) : link;
    return { link, cookie, path, page };
  };
  const views = async (id: string) =>
    (await test.database.client.documentShare.findUniqueOrThrow({ where: { id } })).views;
  return { ...test, token, accountId, document, share, post, visit, views };
}

t.test('a share link leads to a page with a button that opens the document', async (t) => {
  const test = await startSharing(t);
  const { call, share, post, visit, views, document } = test;
  const { url, id, token: secret } = await share({ maxViews: 5, expiresInSeconds: 86_400 });
  const { link, cookie, path, page } = await visit(url, 'de');
  t.equal(link.status, 303);
  t.equal(path, `/s/d/${id}?lang=de`, 'the token is no longer in the address');
  t.match(
    link.headers['set-cookie'],
    /^__Secure-share=link\.\d+\.[\w-]{43}; Max-Age=86400; Path=\/s\/d\/[0-9a-f]{24}; HttpOnly; Secure; SameSite=Lax$/,
  );
  t.notOk(cookie.includes(secret));
  t.equal(page.status, 200);
  t.match(page.headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'content-language': 'de',
  });
  t.match(page.text, 'Rental contract of “Müller &#38; &#60;b&#62;Söhne&#60;/b&#62;”');
  t.match(page.text, 'Es kann noch 5-mal geöffnet werden.');
  t.notMatch(page.text, /<(?:title|meta)[^>]*>[^<]*Rental/);
  t.notOk(page.text.includes(secret));
  t.notMatch(page.text, '<script');
  t.equal(await views(id), 0);

  const form = { visit: getFieldValue(page, 'visit') };
  const trail = await captureAuditEntries(test, async () => {
    const sent = await post(`/s/d/${id}/open?lang=de`, form, cookie);
    t.equal(sent.status, 200, sent.text);
    t.match(sent.text, 'Der Download beginnt');
    t.match(sent.text, `href="${contentIn(sent)}"`);
    const content = await call('GET', contentIn(sent));
    t.equal(content.text, createTestPdf('it').toString());
    t.match(content.headers, { 'content-disposition': /^attachment/ });
    const twice = await post(`/s/d/${id}/open?lang=de`, form, cookie);
    t.equal(contentIn(twice), contentIn(sent), 'a second click opens nothing more');
  });
  t.same(
    trail.map(({ action, resourceId }) => [action, resourceId]),
    [['DOCUMENT_SHARE_OPENED', document.id]],
  );
  t.equal(await views(id), 1);

  await t.test('shows a picture inline', async (t) => {
    const { body: picture } = await uploadDocument(test, test.token, ONE_PIXEL_PNG, { title: 'Dot' });
    const sharePage = await share({}, picture.id);
    const { page, cookie } = await visit(sharePage.url);
    const sent = await post(`/s/d/${sharePage.id}/open`, { visit: getFieldValue(page, 'visit') }, cookie);
    t.match(sent, { status: 303, headers: { location: /\/content\?inline=true$/ } });
    t.match((await call('GET', String(sent.headers.location))).headers, {
      'content-disposition': /^inline/,
    });
  });

  await t.test('is 404 without the cookie of the share', async (t) => {
    const other = await visit((await share()).url);
    for (const wrong of [
      '',
      other.cookie,
      cookie.replace('link', 'code'),
      '__Secure-share=link.9999999999.x',
    ]) {
      t.equal((await call('GET', `/s/d/${id}`, { headers: { cookie: wrong } })).status, 404, wrong);
      t.equal((await post(`/s/d/${id}/open`, form, wrong)).status, 404);
    }
  });

  await t.test('a form of another share or site, or an expired form, opens nothing', async (t) => {
    const other = await visit((await share()).url);
    const stale = await post(`/s/d/${id}/open`, { visit: getFieldValue(other.page, 'visit') }, cookie);
    t.equal(stale.status, 403);
    t.match(stale.text, 'Please press the button again.');
    t.match(stale.text, 'id="answer"');
    const foreign = await post(`/s/d/${id}/open`, form, cookie, { 'sec-fetch-site': 'cross-site' });
    t.equal(foreign.status, 403);
    const now = Date.now;
    Date.now = () => now() + 3 * 3_600_000;
    t.equal((await post(`/s/d/${id}/open`, form, cookie)).status, 403, 'after three hours');
    Date.now = now;
    t.equal(await views(id), 1);
  });

  await t.test('opening again after five minutes needs a new form and counts as a view', async (t) => {
    const readAt = new Date(Date.now() - 301_000);
    await test.database.client.documentAccess.updateMany({ where: { shareId: id }, data: { readAt } });
    const again = await post(`/s/d/${id}/open`, form, cookie);
    t.equal(again.status, 403);
    const renewed = await post(`/s/d/${id}/open`, { visit: getFieldValue(again, 'visit') }, cookie);
    t.equal(renewed.status, 200);
    t.equal(await views(id), 2);
  });
});

t.test('an invalid share link has a page with the reason', async (t) => {
  const { call, share, visit, database, token, document, post } = await startSharing(t);
  const ended = await share();
  const endedPage = await visit(ended.url);
  await call('DELETE', `/api/documents/${document.id}/shares/${ended.id}`, { token });
  const expired = await share({ expiresInSeconds: 60 });
  await database.client.documentShare.update({ where: { id: expired.id }, data: { expiresAt: new Date() } });
  const used = await share({ oneTime: true });
  const usedPage = await visit(used.url);
  await call('POST', `/api/documents/shared/${used.token}/open`);
  const cases: [string, number, RegExp][] = [
    [ended.url, 404, /This link is incomplete or was turned off/],
    [`/s/d/${'x'.repeat(43)}`, 404, /This link is incomplete/],
    ['/s/d/x', 404, /This link is incomplete/],
    [expired.url, 410, /This link has expired/],
    [used.url, 410, /This link can’t be opened again/],
  ];
  for (const [url, status, words] of cases) {
    const { link } = await visit(url);
    t.equal(link.status, status, url);
    t.match(link.text, words);
    t.notMatch(link.text, /Rental|application\/pdf|PDF/);
    t.notOk(link.headers['set-cookie']);
  }
  for (const { cookie, path, page } of [endedPage, usedPage]) {
    const answers = [
      await call('GET', path, { headers: { cookie } }),
      await post(path.replace('?', '/open?'), { visit: getFieldValue(page, 'visit') }, cookie),
    ];
    for (const answer of answers) {
      t.ok([404, 410].includes(answer.status), String(answer.status));
      t.notMatch(answer.text, 'Rental');
    }
  }
});

t.test('the page asks for the passcode, and does not show the title before', async (t) => {
  const { share, visit, post, views } = await startSharing(t);
  const { url, id } = await share({ passcode: 'sesame' });
  const { cookie, page } = await visit(url);
  t.notMatch(page.text, 'Rental');
  t.match(page.text, '<input id="passcode" name="passcode" type="password"');
  const send = (passcode: string) =>
    post(`/s/d/${id}/open`, { visit: getFieldValue(page, 'visit'), passcode }, cookie);
  const wrong = await send('open');
  t.equal(wrong.status, 403);
  t.match(wrong.text, 'Wrong passcode. You have 4 attempts left.');
  t.notMatch(wrong.text, 'Rental');
  t.equal((await send('')).status, 403);
  t.equal(await views(id), 0);
  t.match(contentIn(await send('sesame')), '/content');
  for (let nth = 0; nth < 4; nth += 1)
    await post(`/s/d/${id}/open`, { visit: getFieldValue(wrong, 'visit'), passcode: 'no' }, cookie);
  const over = await post(
    `/s/d/${id}/open`,
    { visit: getFieldValue(wrong, 'visit'), passcode: 'sesame' },
    cookie,
  );
  t.equal(over.status, 429, 'the fifth wrong passcode was the last attempt');
  t.ok(over.headers['retry-after']);
  t.match(over.text, 'Too many attempts.');
});

t.test('the token of a health document stays in the browser until its page sends it', async (t) => {
  const test = await startSharing(t);
  const { call, share, post, token } = test;
  const { body: health } = await uploadDocument(test, token, createTestPdf('x-ray'), {
    title: 'X-ray',
    kind: 'HEALTH',
  });
  const made = await share({}, health.id);
  t.equal(made.url, `https://qr.example.org/s/d#${made.token}`);
  const page = await call('GET', '/s/d');
  t.match(page.text, 'Paste the full link that you received.');
  t.match(page.text, '<script src="/s/d/token.js" defer></script>');
  t.match((await call('GET', '/s/d/token.js')).text, 'location.hash');
  for (const link of [made.token, made.url, ` ${made.url}\n`, `https://qr.example.org/s/d/${made.token}`]) {
    const sent = await post('/s/d?lang=en', { link });
    t.equal(sent.headers.location, `/s/d/${made.id}?lang=en`, link);
    const sharePage = await call('GET', String(sent.headers.location), {
      headers: { cookie: getCookie(sent) },
    });
    t.match(sharePage.text, 'X-ray');
  }
  for (const link of ['', 'hello', 'x'.repeat(43), 'x'.repeat(500)]) {
    const wrong = await post('/s/d', { link });
    t.equal(wrong.status, 404);
    t.match(wrong.text, 'role="alert"');
    t.match(wrong.text, 'id="paste"', 'and can be tried again');
  }
});

t.test('the page of a code offers the documents shared through it', async (t) => {
  const test = await startSharing(t);
  const { call, share, post, token, views } = test;
  const code = async (body: object) =>
    (
      await call('POST', '/api/qrcodes', {
        token,
        body: { kind: 'DOCUMENT', title: 'Folder', data: { name: 'Lease' }, ...body },
      })
    ).body.id;
  const visible = await code({});
  const unnamed = await code({ visibility: { name: 'PRIVATE' } });
  const locked = await code({ pin: '4711' });

  await t.test('each document has a button, and viewing the page opens nothing', async (t) => {
    const { id } = await share({ qrCodeId: visible, maxViews: 3 });
    const guarded = await share({ qrCodeId: visible, passcode: 'sesame' });
    const page = await call('GET', `/s/${visible}`);
    t.equal(page.text.split('Rental contract').length - 1, 2, 'its title, and the name of its button');
    t.match(page.text, `action="/s/${visible}/documents/${id}?lang=en"`);
    t.ok(page.text.length < 20_000);
    t.equal(await views(id), 0);
    const form = { visit: getFieldValue(page, 'visit') };
    const sent = await post(`/s/${visible}/documents/${id}?lang=en`, form);
    t.equal(sent.status, 200, sent.text);
    t.equal((await call('GET', contentIn(sent))).text, createTestPdf('it').toString());
    await post(`/s/${visible}/documents/${id}?lang=en`, form);
    t.equal(await views(id), 1, 'a second click opens nothing more');

    const onward = await post(`/s/${visible}/documents/${guarded.id}?lang=ar`, form);
    t.equal(onward.headers.location, `/s/d/${guarded.id}?lang=ar`);
    const cookie = getCookie(onward);
    const passcodeForm = await call('GET', `/s/d/${guarded.id}`, { headers: { cookie } });
    t.match(passcodeForm.text, 'id="passcode"');
    const fields = { visit: getFieldValue(passcodeForm, 'visit'), passcode: 'sesame' };
    t.match(contentIn(await post(`/s/d/${guarded.id}/open`, fields, cookie)), '/content');
    await call('PUT', `/api/qrcodes/${visible}`, { token, body: { status: 'PAUSED' } });
    t.equal((await call('GET', `/s/d/${guarded.id}`, { headers: { cookie } })).status, 404);
    t.match((await post(`/s/${visible}/documents/${id}`, form)).text, 'This code is paused');
  });

  await t.test('opens no document of another code', async (t) => {
    const { id } = await share({ qrCodeId: unnamed });
    const form = { visit: getFieldValue(await call('GET', `/s/${unnamed}`), 'visit') };
    const empty = await code({});
    const other = { visit: getFieldValue(await call('GET', `/s/${empty}`), 'visit') };
    t.equal((await post(`/s/${empty}/documents/${id}`, other)).status, 404);
    t.equal(await views(id), 0);
    t.equal((await post(`/s/${unnamed}/documents/${id}`, form)).status, 200);
  });

  await t.test('hides titles if the name of the code is hidden', async (t) => {
    await share({ qrCodeId: unnamed });
    const page = await call('GET', `/s/${unnamed}`);
    t.match(page.text, 'Open document: Document');
    t.notMatch(page.text, 'Rental');
  });

  await t.test('offers nothing before the PIN is entered', async (t) => {
    const { id } = await share({ qrCodeId: locked });
    const page = await call('GET', `/s/${locked}`);
    t.notMatch(page.text, /Rental|Documents</);
    const form = { visit: getFieldValue(page, 'visit') };
    t.equal((await post(`/s/${locked}/documents/${id}`, form)).status, 404);
    t.equal(await views(id), 0);
    const unlocked = await post(`/s/${locked}/pin`, { ...form, pin: '4711' });
    t.match(unlocked.text, 'Rental contract');
    t.equal((await post(`/s/${locked}/documents/${id}`, form)).status, 200);
    t.equal(await views(id), 1);
    const anew = await post(`/s/${unnamed}/documents/${id}?lang=ar`, form);
    t.match(
      anew,
      { status: 303, headers: { location: `/s/${unnamed}?lang=ar` } },
      'a form of another code starts again',
    );
    t.equal(await views(id), 1);
  });
});

t.test('every page is below 20 kB in every language', async (t) => {
  const { share, visit, call } = await startSharing(t);
  const { url } = await share({ passcode: 'sesame', maxViews: 2, expiresInSeconds: 86_400 });
  for (const tag of LOCALES.keys()) {
    const { page } = await visit(url, tag);
    const pages = [page, await call('GET', `/s/d?lang=${tag}`), await call('GET', `/s/d/x?lang=${tag}`)];
    for (const { text, headers } of pages) {
      t.equal(headers['content-language'], tag);
      t.ok(Buffer.byteLength(text) < 20_000);
      t.notMatch(text, /\{\w+\}|undefined/);
    }
  }
});

t.test('a person whose browser looks like a robot opens a share link by a button', async (t) => {
  const { call, share, post, views } = await startSharing(t);
  const { url, id } = await share({ maxViews: 5 });
  const path = url.replace('https://qr.example.org', '');
  const preview = await call('GET', path, { headers: { 'user-agent': 'Tools/2' } });
  t.equal(preview.status, 200);
  t.notMatch(preview.text, 'Rental contract');
  t.equal(preview.headers['set-cookie'], undefined);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(preview.text) ?? [];
  const opened = await post(action, { link: getFieldValue(preview, 'link') }, '', {
    'user-agent': 'Tools/2',
  });
  t.match(opened, { status: 303, headers: { location: `/s/d/${id}?lang=en` } });
  t.match(getCookie(opened), /share=link/);
  t.equal(await views(id), 0, 'which counts no access yet');
});
