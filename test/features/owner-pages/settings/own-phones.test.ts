import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

t.test("the settings list one's own phones, and remove one", async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  const { id } = await createTestCode(app, user);
  const browser = await signInBrowser(app, user);
  const path = `/app/${user.id}/settings/security`;
  await browser.open(path);
  t.match(
    browser.main,
    'You haven’t marked a phone as yours yet. Open a code and choose “Scan it with your phone”.',
  );
  const { body } = await app.call('POST', `/api/qrcodes/${id}/test`, { token: user.accessToken });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': IPHONE };
  const marked = await app.call('POST', new URL(body.url).pathname, { headers, body: '' });
  t.equal(marked.status, 303);
  await browser.open(path);
  t.match(browser.main, 'Safari (iOS)');
  t.match(browser.main, 'Hasn’t scanned since');
  const cookie = String(marked.headers['set-cookie']).split(';')[0] ?? '';
  await app.call('GET', `/s/${id}`, { headers: { cookie } });
  await browser.open(path);
  t.match(browser.main, 'Last scanned');
  await browser.send('/remove');
  t.equal(browser.path, `${path}?done=phone-removed`);
  t.match(browser.main, 'The phone is removed. Its scans count again.');
  t.match(browser.main, 'You haven’t marked a phone as yours yet.');
  t.equal(await app.database.client.ownerPhone.count(), 0);
});
