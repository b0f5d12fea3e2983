import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { signIn } from '../content/owner.ts';

const test = await startTestApp(t);

const DOG = { kind: 'PET', title: 'Rex', data: { name: 'Rex', owner: { name: 'Anna' } } };

/** What a loss or a finder would change. */
const STORED = `
  SELECT (SELECT json_agg(row(status, lost_details, version, updated_at)) FROM qr_codes) AS codes,
         (SELECT count(*) FROM scans) AS scans, (SELECT count(*) FROM conversations) AS conversations,
         (SELECT count(*) FROM notifications) AS notifications,
         (SELECT count(*) FROM account_events) AS events, (SELECT count(*) FROM scan_dirty_buckets) AS statistics`;

t.test('lost, a message, found: each step is marked as practice, and nothing of it is stored', async (t) => {
  const { browser, api, path } = await signIn(test);
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  const practice = `${path}/codes/${id}/practice`;
  const readStored = () => queryDatabase(test, STORED);
  const before = await readStored();
  const follow = async () => browser.open(/class="act" href="([^"]*)"/.exec(browser.main)?.[1] ?? '');

  await browser.open(practice);
  t.match(browser.main, 'This is practice, and only you see it.');
  t.match(browser.main, `<iframe class="preview" src="${practice}/page?step=lost"`);
  t.match(browser.main, 'sandbox="allow-same-origin"', 'its forms cannot be sent');
  const frame = await test.call('GET', `${practice}/page?step=lost`, { headers: getCookies() });
  t.match(frame.text, 'Please send me a message here and keep my pet with you.');
  t.match(frame.text, 'name="message"');
  t.match(frame.headers, {
    'content-security-policy': /frame-ancestors 'self'/,
    'cache-control': 'no-store',
  });
  await follow();
  t.match(browser.path, /step=message$/);
  t.match(browser.main, 'This is practice, and only you see it.');
  t.match(browser.main, 'Your pet is with me.');
  await follow();
  t.match(browser.path, /step=found$/);
  t.match(browser.main, 'This is practice, and only you see it.');
  const found = await test.call('GET', `${practice}/page?step=found`, { headers: getCookies() });
  t.notMatch(found.text, 'Please send me a message here and keep my pet with you.');
  t.match(found.text, '<h1>Rex');
  await browser.fill('/practice');
  t.equal(browser.path, path);

  t.same(await readStored(), before);
  t.notMatch(
    (await test.call('GET', `/s/${id}`, { headers: { accept: 'text/html' } })).text,
    'keep my pet with you',
  );

  function getCookies() {
    return { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }
});

t.test('only its owner practices with a code that can be lost and is not', async (t) => {
  const { browser, api, path, user } = await signIn(test);
  const { id } = (await api('POST', '/api/qrcodes', DOG)).body;
  const practice = `${path}/codes/${id}/practice`;
  const other = await signIn(test);
  for (const address of [practice, `${practice}/page`, `${other.path}/codes/${id}/practice/page`])
    t.equal((await other.browser.open(address)).status, 404);
  await browser.open(`${practice}?step=found`);
  await browser.fill('/practice', { token: 'forged' });
  t.equal(browser.page.status, 403);
  t.match(await queryDatabase(test, 'SELECT first_steps FROM users WHERE id = $1', user.id), [
    { first_steps: [] },
  ]);
  await api('POST', `/api/qrcodes/${id}/lost`, {});
  for (const address of [practice, `${practice}/page`]) t.equal((await browser.open(address)).status, 404);
});

t.test('the sample page of a medical card is a read of it', async (t) => {
  const { browser, api, path } = await signIn(test);
  const card = { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada', bloodType: 'A+' } };
  const { id } = (await api('POST', '/api/qrcodes', card)).body;
  t.equal((await browser.open(`${path}/codes/${id}/practice/page?step=lost`)).status, 200);
  t.match(await queryDatabase(test, "SELECT action FROM audit_entries WHERE action = 'MEDICAL_DATA_READ'"), [
    { action: 'MEDICAL_DATA_READ' },
  ]);
});
