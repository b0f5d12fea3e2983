import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { TestBrowser } from '../browser.ts';
import { signIn } from '../content/owner.ts';

const test = await startTestApp(t);

const DOG = { kind: 'PET', title: 'Rex <b>', data: { name: 'Rex', owner: { name: 'Anna' } } };

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';

t.test('a code on the screen marks the phone that scans it, and the page says when it scanned', async (t) => {
  const { browser, api, path, user } = await signIn(test);
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  const page = `${path}/codes/${id}/phone`;
  await browser.open(`${path}/codes/${id}/print`);
  await browser.fill('/phone');
  t.equal(browser.title, 'Scan it with your phone');
  t.match(browser.main, '<svg class="code" role="img"');
  t.match(browser.main, 'Your phone hasn’t scanned it yet.');
  t.notMatch(browser.page.text, 'Rex <b>');
  const link = /href="https:\/\/qr\.example\.org(\/s\/test\/[^"]*)"/.exec(browser.main)?.[1] ?? '';
  const state = (await test.call('GET', `${page}/updates`, { headers: getCookies(browser) })).text;
  t.equal(state, 'none-none');
  t.match(browser.main, `data-state="${state}"`);
  await browser.fill('/phone');
  t.match(browser.main, link, 'without a script, the same code is checked again');

  const phone = new TestBrowser({
    call: (method, url, options) =>
      test.call(method, url, { ...options, headers: { ...options?.headers, 'user-agent': PHONE } }),
  });
  await phone.open(link);
  t.equal(phone.title, 'Is this your phone?');
  const button = phone.findForm(link);
  await phone.open(button?.action ?? '', { method: 'POST', body: '' });
  t.equal(phone.path, `/s/${id}`);
  t.match(await queryDatabase(test, 'SELECT class, class_rule FROM scans WHERE qr_code_id = $1', id), [
    { class: 'OWNER', class_rule: 'owner-phone' },
  ]);
  await browser.fill('/phone');
  t.equal(browser.path, page);
  t.match(browser.main, '✓ Your phone scanned it:');
  t.notMatch(browser.main, '<svg class="code"', 'the link was used');
  t.match(browser.main, `href="${path}/codes/${id}/practice"`);
  t.not((await test.call('GET', `${page}/updates`, { headers: getCookies(browser) })).text, state);
  t.same(
    await queryDatabase(
      test,
      `SELECT event FROM notifications WHERE user_id = $1 AND event LIKE 'scan.%'`,
      user.id,
    ),
    [],
    'nobody is notified',
  );
});

t.test('a scan by a phone that is not marked is named as such', async (t) => {
  const { browser, api, path } = await signIn(test);
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  await test.call('GET', `/s/${id}`, {
    headers: {
      accept: 'text/html',
      'accept-language': 'en',
      'sec-fetch-mode': 'navigate',
      'user-agent': PHONE,
    },
  });
  await browser.open(`${path}/codes/${id}/phone`);
  t.match(browser.main, 'A phone scanned the printed code:');
  t.notMatch(browser.main, '✓ Your phone');
});

t.test('a link of somebody else shows no code, and nobody opens the page of another account', async (t) => {
  const { browser, api, path } = await signIn(test);
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  await browser.open(`${path}/codes/${id}/phone`);
  await browser.fill('/phone', { link: `${'x'.repeat(43)}.0` });
  t.equal(browser.path, `${path}/codes/${id}/phone`);
  t.notMatch(browser.main, '<svg class="code"');
  await browser.open(`${path}/codes/${id}/phone`);
  await browser.fill('/phone', { token: 'forged' });
  t.notMatch(browser.main, '<svg class="code"');
  const other = await signIn(test);
  const foreignLink = (await other.api('POST', `/api/qrcodes/${await createCode(other)}/test`)).body.url;
  await browser.open(`${path}/codes/${id}/phone`);
  await browser.fill('/phone', { link: foreignLink.slice(foreignLink.lastIndexOf('/') + 1) });
  t.notMatch(browser.main, '<svg class="code"');
  for (const address of [`${path}/codes/${id}/phone`, `${other.path}/codes/${id}/phone/updates`])
    t.equal((await other.browser.open(address)).status, 404);
});

async function createCode({ api }: Pick<Awaited<ReturnType<typeof signIn>>, 'api'>): Promise<string> {
  return (await api('POST', '/api/qrcodes', DOG)).body.id;
}

function getCookies({ cookies }: TestBrowser) {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}
