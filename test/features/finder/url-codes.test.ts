import { shouldRedirectWithoutInterstitial } from '../../../src/features/finder/contact-links.rules.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { startScans } from '../scans/helper.ts';

/** Cyrillic letters that imitate another name. */
const IMITATION = 'https://аррӏе.com/login';

t.test('URL codes of new accounts show their target first if the operator configures it', async (t) => {
  const test = await startScans(t, { URL_PAGE: 'young' });
  const { call, code, database } = test;
  const urlCode = (url: string, body: object = {}) =>
    code({ kind: 'URL', title: 'Menu', data: { url }, ...body });
  const id = await urlCode('https://menu.example.com/today');
  const page = await call('GET', `/s/${id}`);
  t.equal(page.status, 200);
  t.match(page.text, 'This code links to menu.example.com.');
  t.equal(await database.client.scan.count({ where: { qrCodeId: id, class: 'HUMAN' } }), 1);

  for (const [url, said] of [
    [IMITATION, '\u2066xn--80ak6aa92e.com (\u2068аррӏе.com\u2069)\u2069'],
    [
      'https://münchen.example:8443/x',
      '\u2066xn--mnchen-3ya.example:8443 (\u2068münchen.example\u2069)\u2069',
    ],
    ['http://192.0.2.7:8080/x', '192.0.2.7:8080'],
    ['http://3221225991/x', '192.0.2.7'],
    ['http://[2001:db8::7]:8080/x', '[2001:db8::7]:8080'],
  ] as const) {
    const response = await call('GET', `/s/${await urlCode(url)}`);
    t.match(response.text, `This code links to ${said}.`);
    t.match(response.text, `href="${new URL(url).href}"`);
  }
  const arabic = await call('GET', `/s/${id}?lang=ar`);
  t.match(arabic.text, '\u2066menu.example.com\u2069');

  const over = await call('HEAD', `/s/${id}`);
  t.equal(over.status, 200, 'nor does a HEAD request redirect');
});

t.test('the setting, the age of the account and the code decide whether a URL code redirects', async (t) => {
  const now = new Date();
  const daysAgo = (days: number) => generateId(new Date(now.getTime() - days * 24 * 60 * 60 * 1000));
  const code = (change: object = {}) => ({
    accountId: daysAgo(1),
    showsPage: false,
    status: 'ACTIVE',
    expiresAt: null,
    ...change,
  });
  const old = { accountId: daysAgo(15) };
  t.ok(shouldRedirectWithoutInterstitial(code(), 'never', now));
  t.notOk(shouldRedirectWithoutInterstitial(code(), 'young', now));
  t.notOk(shouldRedirectWithoutInterstitial(code({ accountId: daysAgo(13) }), 'young', now));
  t.ok(shouldRedirectWithoutInterstitial(code(old), 'young', now));
  t.notOk(shouldRedirectWithoutInterstitial(code(old), 'always', now));
  for (const change of [{ showsPage: true }, { status: 'LOST' }])
    t.notOk(
      shouldRedirectWithoutInterstitial(code({ ...old, ...change }), 'never', now),
      JSON.stringify(change),
    );
});

t.test('a code that leads to the page of a code is refused in every way in', async (t) => {
  const base = 'https://qr.example.com';
  const { call, code, owner } = await startScans(t, { PUBLIC_BASE_URL: base, FRONTEND_URL: base });
  const id = await code({ kind: 'URL', title: 'Menu', data: { url: 'https://menu.example.com' } });
  const options = (body: unknown) => ({ token: owner.accessToken, body });
  const data = { url: `${base}/s/${id}` };
  const created = { kind: 'URL', title: 'Loop', data };
  const change = (method: 'PUT' | 'PATCH', body: unknown) =>
    call(method, `/api/qrcodes/${id}`, options(body));
  for (const response of [
    await call('POST', '/api/qrcodes', options(created)),
    await call('POST', '/api/qrcodes', options({ ...created, mode: 'STATIC' })),
    await call('POST', '/api/qrcodes/render', options({ ...created, format: 'svg' })),
    await change('PUT', { data }),
    await change('PATCH', { data }),
    await call('PUT', '/api/qrcodes/by-external-id/loop', options(created)),
  ]) {
    t.equal(response.status, 400, response.text);
    t.same(response.body.errors, [
      {
        field: 'data.url',
        code: 'NOT_ALLOWED',
        message: response.body.errors[0].message,
      },
    ]);
    t.match(response.body.errors[0].message, /^Must not lead to /);
  }
  for (const [method, items] of [
    ['POST', [created]],
    ['PATCH', [{ id, data }]],
  ] as const) {
    const bulk = await call(method, '/api/qrcodes/bulk', options({ items }));
    t.match(bulk.body.data[0], { outcome: 'FAILED', error: { errors: [{ field: 'data.url' }] } }, bulk.text);
  }
});

t.test('no redirect leads to a code, whatever name of the service it has', async (t) => {
  const { call, code } = await startScans(t);
  const first = await code({ kind: 'URL', title: 'Menu', data: { url: 'https://menu.example.com' } });
  const second = await code({
    kind: 'URL',
    title: 'Menu',
    data: { url: `https://alias.example.net/x/%73/${first}/` },
  });
  for (const method of ['GET', 'HEAD'] as const) {
    t.equal((await call(method, `/s/${first}`)).status, 302);
    t.equal((await call(method, `/s/${second}`)).status, 200);
  }
  t.match((await call('GET', `/s/${second}`)).text, 'This code links to alias.example.net.');
  const foreign = `https://alias.example.net/s/${generateId()}`;
  const third = await code({ kind: 'URL', title: 'Menu', data: { url: foreign } });
  t.equal((await call('GET', `/s/${third}`)).headers.location, foreign);
});
