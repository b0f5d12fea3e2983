import { startTestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { startWebPushServer } from '../../../providers/push/web-push-server.ts';
import { t } from '../../../tap.ts';
import { copyCookies, signIn } from '../settings/helper.ts';

const server = await startWebPushServer(t.teardown);
const test = await startTestApp(t);

t.beforeEach(() => {
  server.received.length = 0;
  server.state.status = 201;
});

/** What the script of the page fills in. */
function createFields() {
  const browser = server.createBrowser();
  return { ...browser.subscription, applicationServerKey: test.services.webPush.publicKey };
}

t.test('the service worker is below the pages, and leads to their notifications only', async (t) => {
  const { status, headers, text } = await test.call('GET', '/app/service-worker.js');
  t.equal(status, 200);
  t.match(headers, { 'content-type': /^text\/javascript/, 'cache-control': 'no-cache' });
  t.match(text, "addEventListener('push'");
  t.notMatch(text, /addEventListener\('fetch'|caches\./, 'it stores no page');
});

t.test('this browser is registered in the settings, tried out, and removed', async (t) => {
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/notifications`;
  await browser.open(path);
  t.match(browser.main, 'data-script="web-push"');
  t.match(browser.main, 'turn on JavaScript', 'without the script it says why');
  const policy = String(browser.page.headers['content-security-policy']);
  t.match(policy, "script-src 'self'");
  t.notMatch(policy, /unsafe|https:/);

  await browser.send('/web-push', createFields());
  t.equal(browser.path, `${path}?done=web-push`);
  t.match(browser.main, 'Notifications are on in this browser.');
  t.notMatch(browser.main, 'data-script="web-push"');
  t.notMatch(browser.page.text, server.origin, 'the endpoint is a secret');
  await browser.send('/test');
  t.equal(browser.path, `${path}?done=device-tested`);
  t.equal(server.received.length, 1);
  server.state.status = 503;
  await browser.send('/test');
  t.match(browser.main, /class="note wrong"[^>]*>The test could not be sent/);
  server.state.status = 410;
  await browser.send('/test');
  t.match(browser.main, 'so it was removed');
  t.match(browser.main, 'data-script="web-push"', 'it can be registered again');

  await browser.send('/web-push', createFields());
  await browser.send('/remove');
  t.equal(browser.path, `${path}?done=device-removed`);
  t.match(browser.main, 'data-script="web-push"');
});

t.test('what is no subscription is refused in plain words', async (t) => {
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/notifications`;
  for (const fields of [
    {},
    { ...createFields(), endpoint: 'https://169.254.169.254/' },
    { ...createFields(), endpoint: 'https://push.example.org/' },
    { ...createFields(), applicationServerKey: 'A'.repeat(87) },
    { ...createFields(), p256dh: 'x' },
  ]) {
    await browser.open(path);
    await browser.send('/web-push', fields);
    t.equal(browser.page.status, 400);
    t.match(browser.main, /class="note wrong"[^>]*>That did not work/, JSON.stringify(fields));
  }
  t.equal(await test.database.client.pushDevice.count({ where: { userId: user.id } }), 0);
});

t.test('after a loss was reported the phone can be told, which leads back to the code', async (t) => {
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await test.call('POST', '/api/qrcodes', { token: user.accessToken, body })).body;
  const path = `/app/${user.id}/codes/${id}`;
  await browser.open(`${path}/lost?to=home`);
  await browser.send('/lost');
  t.match(browser.main, 'Tell me on this phone');
  await browser.send('/web-push', { ...createFields(), codeId: 'https://evil.example/' });
  t.equal(browser.path, `/app/${user.id}/settings/notifications?done=web-push`, 'no other address');
  await browser.open(`${path}?done=lost`);
  t.notMatch(browser.main, 'Tell me on this phone', 'it is told already');
  await test.database.client.pushDevice.deleteMany({ where: { userId: user.id } });
  await browser.open(`${path}?done=lost`);
  await browser.send('/web-push', createFields());
  t.equal(browser.path, `${path}?done=web-push`);
  t.match(browser.main, 'This browser now shows notifications.');
});

t.test('a phone that is told of a loss leads back to the code of the organization', async (t) => {
  const { id: userId, accessToken: token, email } = await test.createUser();
  const accountId = await insertOrganization(test, { members: [{ userId, role: 'EDITOR' }] });
  const browser = await signIn(test, { email });
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const headers = { 'account-id': accountId };
  const { id } = (await test.call('POST', '/api/qrcodes', { token, headers, body })).body;
  const path = `/app/${accountId}/codes/${id}`;
  for (const from of [`${path}/lost`, `${path}/lost?to=home`]) {
    await test.database.client.pushDevice.deleteMany({ where: { userId } });
    await test.call('POST', `/api/qrcodes/${id}/found`, { token, headers, body: {} });
    await browser.open(from);
    await browser.send('/lost');
    await browser.send('/web-push', createFields());
    t.equal(browser.path, `${path}?done=web-push`, from);
  }
});

t.test('signing out ends the notifications of the browser', async (t) => {
  const user = await test.createUser();
  const browser = await signIn(test, user);
  await browser.open(`/app/${user.id}/settings/notifications`);
  await browser.send('/web-push', createFields());
  const copy = copyCookies(test, browser);
  await browser.send('/sign-out');
  t.equal(await test.database.client.pushDevice.count({ where: { userId: user.id } }), 0);
  await copy.open(`/app/${user.id}/settings/notifications`);
  t.match(copy.path, /^\/app\/sign-in/);
});
