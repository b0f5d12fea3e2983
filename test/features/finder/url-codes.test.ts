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
