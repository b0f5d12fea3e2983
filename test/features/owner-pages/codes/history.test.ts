import { renderHistory } from '../../../../src/features/owner-pages/codes/history-page.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../../src/shared/i18n/locales.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

t.test('the history of a code says what happened, by whom, without values', async (t) => {
  const test = await startTestApp(t);
  const [user, other] = [await test.createUser(), await test.createUser()];
  const { id } = await createTestCode(test, user, { title: '<i>Rex</i>' });
  const path = `/app/${user.id}/codes/${id}`;
  const browser = await signInBrowser(test, user);
  await browser.open(path);
  await browser.send('/pause');
  const key = await test.call('POST', '/api/api-keys', {
    token: user.accessToken,
    body: { name: '<b>Stock</b>', scopes: ['qr-codes:write'] },
  });
  const body = { title: 'Max', metadata: { shelf: 'A secret place' }, visibility: { name: 'PRIVATE' } };
  t.equal((await test.call('PATCH', `/api/qrcodes/${id}`, { token: key.body.token, body })).status, 200);

  await browser.open(`${path}/history`);
  t.equal(browser.page.status, 200);
  t.match(browser.main, /aria-current="page">History</);
  t.match(
    browser.main,
    /Changed: Title, Own data,? and Who sees what|Changed: Title, Who sees what,? and Own data/,
  );
  t.match(browser.page.text, 'API key “<bdi>&#60;b&#62;Stock&#60;/b&#62;</bdi>”');
  t.match(browser.main, /The code was created\..*\n?.*You/);
  t.ok(
    browser.main.indexOf('It was paused.') < browser.main.indexOf('The code was created.'),
    'newest first',
  );
  t.notMatch(browser.main, 'A secret place');
  t.notMatch(browser.main, 'Older entries');

  const stranger = await signInBrowser(test, other);
  for (const account of [user.id, other.id]) {
    await stranger.open(`/app/${account}/codes/${id}/history`);
    t.equal(stranger.page.status, 404);
  }
});

t.test('a long history has older pages', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const { id } = await createTestCode(test, user);
  for (let number = 0; number < 26; number += 1)
    await test.call('PATCH', `/api/qrcodes/${id}`, {
      token: user.accessToken,
      body: { title: `Rex ${number}` },
    });
  const browser = await signInBrowser(test, user);
  const path = `/app/${user.id}/codes/${id}/history`;
  await browser.open(path);
  t.notMatch(browser.main, 'The code was created.');
  t.ok(Buffer.byteLength(browser.page.text) < 24_000, `${browser.page.text.length} bytes`);
  const older = /href="([^"]*\?cursor=[^"]*)"/.exec(browser.main)?.[1] ?? '';
  await browser.open(older);
  t.match(browser.main, 'The code was created.');
  t.notMatch(browser.main, 'Older entries');
  await browser.open(`${path}?cursor=nonsense`);
  t.match(browser.main, 'Older entries', 'the first page');
});

t.test('entries are put under the days of their reader, in the language of the page', async (t) => {
  const entry = { changes: [] as string[], who: 'OWNER' as const, apiKey: null };
  const entries = [
    { ...entry, id: '3', action: 'FOUND' as const, createdAt: '2026-03-02T00:30:00.000Z' },
    { ...entry, id: '2', action: 'LOST' as const, createdAt: '2026-03-01T23:30:00.000Z' },
    { ...entry, id: '1', action: 'CREATED' as const, createdAt: '2026-03-01T12:00:00.000Z' },
  ];
  const render = (timeZone: string) =>
    renderHistory(entries, { timeZone, locale: LOCALES.get('de') ?? DEFAULT_LOCALE }).markup;
  const daysOf = (text: string) =>
    [...text.matchAll(/<h2>([^<]*)<|>([^<]*)<\/p><p class/g)].map(([, day, action]) => day ?? action);
  t.same(daysOf(render('UTC')), [
    'Montag, 2. März 2026',
    'Er wurde als gefunden gemeldet.',
    'Sonntag, 1. März 2026',
    'Er wurde als verloren gemeldet.',
    'Der Code wurde angelegt.',
  ]);
  t.same(daysOf(render('Europe/Berlin')), [
    'Montag, 2. März 2026',
    'Er wurde als gefunden gemeldet.',
    'Er wurde als verloren gemeldet.',
    'Sonntag, 1. März 2026',
    'Der Code wurde angelegt.',
  ]);
});
