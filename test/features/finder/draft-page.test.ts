import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { listErrorFields } from '../codes/code-helper.ts';

const SUITCASE = {
  kind: 'LUGGAGE',
  title: 'Mine',
  data: { color: 'Blue', name: '<b>Suitcase</b>', brand: 'Rimowa' },
  visibility: { name: 'PUBLIC', color: 'PUBLIC', brand: 'PRIVATE' },
};

t.test('the page of a draft is rendered as finders would see it, and nothing is stored', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const preview = (body: object, language = 'en') =>
    app.call('POST', '/api/qrcodes/preview', {
      token: user.accessToken,
      body,
      headers: { 'accept-language': language },
    });
  const page = await preview(SUITCASE, 'de');
  t.equal(page.status, 200, page.text);
  t.match(page.headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'de',
    'cache-control': /no-store/,
    'content-security-policy': /frame-ancestors 'self'/,
  });
  t.match(page.text, '<html lang="de"');
  t.match(page.text, '&#60;b&#62;Suitcase');
  t.match(page.text, 'Blue');
  t.notMatch(page.text, 'Rimowa', 'a private field');
  t.match((await preview(SUITCASE, 'en')).text, '<html lang="en"');

  const locked = await preview({
    ...SUITCASE,
    visibility: { ...SUITCASE.visibility, color: 'PIN' },
    pin: '4821',
    contactable: false,
  });
  t.equal(locked.status, 200, locked.text);
  t.notMatch(locked.text, 'Blue', 'it needs the PIN');
  t.match(locked.text, /name="pin"/);
  t.notMatch(locked.text, /\b4821\b/);
  t.notMatch(locked.text, /name="message"/);
  t.match((await preview(SUITCASE)).text, /name="message"/);

  const designed = await preview({ ...SUITCASE, pageDesign: { accentColor: '#7a1f5c' } });
  t.match(designed.text, '#7a1f5c');
  const url = await preview({ kind: 'URL', data: { url: 'https://example.org/' } });
  t.match(url.text, 'https://example.org/', 'in place of the redirect');
  t.equal(await app.database.client.qrCode.count(), 0);
  t.equal(await app.database.client.scan.count(), 0);
});

t.test('a draft is checked as a new code is', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const refused = await app.call('POST', '/api/qrcodes/preview', {
    token: user.accessToken,
    body: { kind: 'LUGGAGE', data: { name: 1 }, visibility: { unknown: 'PUBLIC' }, pin: '1' },
  });
  t.equal(refused.status, 400);
  t.same(listErrorFields(refused), [
    'data.name WRONG_TYPE',
    'pin BAD_FORMAT',
    'visibility.unknown UNKNOWN_FIELD',
  ]);
});
