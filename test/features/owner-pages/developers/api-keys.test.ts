import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { ageSessions, signIn } from '../settings/helper.ts';

t.test('an API key is made, shown once, replaced and ended', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const browser = await signIn(app, user);
  const path = `/app/${user.id}/developers`;
  const list = (token: string) => app.call('GET', '/api/qrcodes', { token });
  await browser.open(`/app/${user.id}/settings`);
  t.match(browser.main, `href="${path}"`);
  await browser.open(`${path}/keys/new`);
  const form = browser.readForm('/keys');
  await browser.fill('/keys', { name: ' ' });
  t.equal(browser.page.status, 400);
  t.equal(browser.main.split('Please fill this in').length, 3, 'the name and the scopes');

  const fields = { ...form.fields, name: 'Shop <b>', 'scope-qr-codes:read': '1', days: '30' };
  const body = String(new URLSearchParams(fields));
  await browser.open(form.action, { method: 'POST', body });
  const secret = readSecret(browser.main);
  t.equal((await list(secret)).status, 200);
  t.equal(browser.page.headers['cache-control'], 'no-store');
  await browser.open(form.action, { method: 'POST', body });
  t.equal(readSecret(browser.main), '', 'sent twice it is not shown again');
  t.match(browser.main, 'made already');
  const { body: keys } = await app.call('GET', '/api/api-keys', { token: user.accessToken });
  t.match(keys.data, [{ name: 'Shop <b>', scopes: ['qr-codes:read'], status: 'ACTIVE' }]);
  t.equal(keys.data.length, 1);

  await browser.open(path);
  t.match(browser.page.text, 'Shop &#60;b&#62;');
  await browser.open(`${path}/keys/${keys.data[0].id}`);
  await browser.fill('/rotate', { overlap: '0' });
  const next = readSecret(browser.main);
  t.equal((await list(next)).status, 200);
  t.equal((await list(secret)).status, 401);
  await browser.open(`${path}/keys/${keys.data[0].id}`);
  await browser.send('/revoke');
  t.equal(browser.path, `${path}?done=key-revoked`);
  t.match(browser.main, 'The key has ended');
  t.equal((await list(next)).status, 401);
  await browser.open(`${path}/keys/${keys.data[0].id}`);
  t.equal(browser.findForm('/rotate'), null);
});

t.test('a key needs a recent sign-in, and those of others do not exist', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const browser = await signIn(app, user);
  await browser.open(`/app/${user.id}/developers/keys/new`);
  await ageSessions(app);
  await browser.fill('/keys', { name: 'Shop', 'scope-qr-codes:read': '1' });
  t.equal(browser.page.status, 401);
  t.match(browser.page.text, 'scope-qr-codes:read', 'what was entered is kept');
  t.equal(await app.database.client.apiKey.count(), 0);
  const other = await signIn(app, await app.createUser());
  await other.open(`/app/${user.id}/developers`);
  t.equal(other.page.status, 404);
});

function readSecret(main: string): string {
  return /<pre id="secret" dir="ltr">(.*?)<\/pre>/.exec(main)?.[1] ?? '';
}
