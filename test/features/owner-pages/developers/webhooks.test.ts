import { HostAddressError } from '../../../../src/shared/host-address-error.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  type ReceivedWebhook,
  skipRetryDelays,
  startReceiver,
  startWebhooks,
  verifyWebhook,
  waitUntil,
} from '../../webhooks/helper.ts';
import { startPublicReceiver } from '../../webhooks/public-receiver.ts';
import { ageSessions, signIn } from '../settings/helper.ts';

t.test('a webhook is made, tested, and everything sent to it can be seen and sent again', async (t) => {
  const test = await startWebhooks(t);
  let status = 204;
  const { url, received } = await startReceiver(t, () => status);
  const browser = await signIn(test, test.owner);
  const path = `/app/${test.owner.id}/developers/webhooks`;
  await browser.open(`/app/${test.owner.id}/developers`);
  t.match(browser.main, `href="${path}"`);
  await browser.open(path);
  t.match(browser.main, 'A webhook needs a program');
  t.match(browser.main, `href="${path}/receiver"`);

  await browser.open(`${path}/new`);
  const form = browser.readForm('/webhooks');
  t.match(browser.main, 'name="event-*" value="1" checked', 'everything, unless less is chosen');
  const body = String(
    new URLSearchParams({ ...form.fields, url, 'event-code.*': '1', description: 'Shop <b>' }),
  );
  await browser.open(form.action, { method: 'POST', body });
  const secret = readSecret(browser.main);
  t.match(secret, /^whsec_/);
  t.equal(browser.page.headers['cache-control'], 'no-store');
  await browser.open(form.action, { method: 'POST', body });
  t.equal(readSecret(browser.main), '', 'sent twice it is not shown again');
  t.match(browser.main, 'made already');
  await browser.open(path);
  t.match(browser.page.text, 'Shop &#60;b&#62;');
  t.match(browser.main, 'Active');
  const endpointPath = new RegExp(`href="(${path}/[0-9a-f]{24})"`).exec(browser.main)?.[1] ?? '';

  await browser.open(endpointPath);
  t.match(browser.main, 'Nothing has been sent yet');
  await browser.send('/test');
  t.match(browser.path, `${endpointPath}/deliveries/`);
  const deliveryPath = browser.path;
  await waitUntil(async () => (await browser.open(deliveryPath)) && browser.main.includes('HTTP 204'));
  t.match(browser.main, 'Delivered');
  t.notMatch(browser.main, 'data-updates');
  t.equal(received[0]?.event.type, 'webhook_endpoint.test');
  verifyWebhook(secret, received[0] as ReceivedWebhook);

  status = 500;
  await test.createCode();
  await waitUntil(() => received.length === 2);
  await browser.open(endpointPath);
  t.match(browser.main, 'code.created');
  const failedPath = /href="([^"]*)"><code dir="ltr">code.created/.exec(browser.main)?.[1] ?? '';
  await waitUntil(async () => (await browser.open(failedPath)) && browser.main.includes('HTTP 500'));
  t.match(browser.main, 'Next attempt');
  const updates = /data-updates="([^"]*)" data-state="([^"]*)"/.exec(browser.main);
  t.equal((await browser.open(updates?.[1] ?? '')).text, updates?.[2]);
  await browser.open(`${endpointPath}?status=DELIVERED`);
  t.notMatch(browser.main, 'code.created');
  await browser.open(`${endpointPath}?status=FAILED`);
  t.match(browser.main, 'There is none');

  status = 204;
  await browser.open(failedPath);
  await skipRetryDelays(test);
  await browser.send('/replay');
  t.equal(browser.path, `${failedPath}?done=webhook-replayed`);
  await waitUntil(async () => (await browser.open(failedPath)) && browser.main.includes('Delivered'));
  verifyWebhook(secret, received.at(-1) as ReceivedWebhook);
  t.equal(received.at(-1)?.event.id, received[1]?.event.id);

  const answer = { contentType: 'text/html', body: '<script>alert(1)</script>', isTruncated: true };
  await test.database.pool.query(
    "UPDATE webhook_deliveries SET attempts = jsonb_set(attempts, '{0,response}', $1::jsonb) WHERE event_type = 'code.created'",
    [JSON.stringify(answer)],
  );
  await browser.open(failedPath);
  t.match(browser.main, /What it answered.*text\/html.*<script>alert\(1\).*Only the beginning is kept/s);
  t.notMatch(browser.page.text, '<script>alert', 'as text');
});

t.test('a form says at each field what is wrong, and keeps what was entered', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const browser = await signIn(app, user);
  const path = `/app/${user.id}/developers/webhooks`;
  const submit = async (fields: Record<string, string>) => {
    await browser.open(`${path}/new`);
    await browser.fill('/webhooks', fields);
    t.equal(browser.page.status, 400);
    return /<p class="error" id="url-error">(.*?)<\/p>/.exec(browser.main)?.[1];
  };
  t.equal(await submit({ url: ' ', 'event-scan.*': '1' }), 'Please fill this in.');
  t.match(await submit({ url: 'hooks.example.com' }), 'not a web address');
  t.match(browser.main, 'id="eventTypes-error"');
  t.match(await submit({ url: 'http://hooks.example.com/' }), 'begin with https://');
  t.match(await submit({ url: 'https://10.0.0.1/' }), 'private network');
  t.match(await submit({ url: 'https://intranet/' }), 'private network');
  t.match(await submit({ url: 'https://a:b@hooks.example.com/' }), 'user name');
  t.match(await submit({ url: 'https://hooks.example.com/#a' }), 'from # on');
  t.match(await submit({ url: 'https://hooks.example.com:22/' }), 'port 443');
  t.match(await submit({ url: `https://hooks.example.com/${'a'.repeat(3000)}` }), 'too long');
  t.match(await submit({ url: 'https://hooks.example.com/ä', description: 'x'.repeat(300) }), 'check this');
  t.match(browser.main, 'id="description-error"');
  await submit({ url: 'https://intranet/', 'event-scan.*': '1', include: '1', description: 'Shop' });
  t.match(browser.main, 'name="event-scan.*" value="1" checked');
  t.match(browser.main, /name="include"[^>]* checked/);
  t.match(browser.main, 'value="Shop"');
  await app.database.client.user.update({ where: { id: user.id }, data: { language: 'de' } });
  t.match(await submit({ url: 'http://hooks.example.com/' }), 'Adresse');
  t.equal(await app.database.client.webhookEndpoint.count(), 0);
});

t.test('a webhook is edited, paused, given another secret and deleted', async (t) => {
  const test = await startWebhooks(t);
  const { owner, call } = test;
  const { url, received } = await startReceiver(t);
  const { id, secret } = await test.createEndpoint(url, ['code.*', 'code.lost', 'message.created']);
  const browser = await signIn(test, owner);
  const listPath = `/app/${owner.id}/developers/webhooks`;
  const path = `${listPath}/${id}`;
  const read = async () =>
    (await call('GET', `/api/webhook-endpoints/${id}`, { token: owner.accessToken })).body;

  await browser.open(`${path}/edit`);
  t.match(browser.main, 'name="event-code.*" value="1" checked');
  t.match(browser.main, 'name="event-message.created" value="1" checked');
  const { version } = await read();
  const chosen = { 'event-code.*': '1', 'event-message.created': '1' };
  await browser.fill('/edit', chosen);
  t.equal(browser.path, `${path}?done=webhook-saved`);
  t.equal((await read()).version, version, 'saved unchanged it is not changed');
  await browser.open(`${path}/edit`);
  await browser.fill('/edit', { 'event-code.created': '1', description: 'Shop' });
  t.match(browser.title, 'Shop');
  t.match(await read(), { url, eventTypes: ['code.created'], include: null, description: 'Shop' });

  await browser.open(`${path}/edit`);
  await call('PATCH', `/api/webhook-endpoints/${id}`, {
    token: owner.accessToken,
    body: { description: 'Till' },
  });
  await browser.fill('/edit', { 'event-code.created': '1', description: 'Store' });
  t.equal(browser.page.status, 412);
  t.match(browser.main, 'Somebody else changed this');
  await browser.fill('/edit', { 'event-code.created': '1', url: 'http://intranet/' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'value="Store"');
  await browser.fill('/edit', { 'event-code.created': '1', url });
  t.equal((await read()).description, 'Store');

  await browser.open(path);
  await browser.send('/pause');
  t.match(browser.main, 'Paused. Nothing is sent to it.');
  t.match(await read(), { enabled: false, disabledReason: 'OWNER' });
  t.equal(browser.findForm('/test'), null);
  await test.createCode();
  await browser.send('/resume');
  t.match(await read(), { enabled: true });
  await browser.open(`${path}/replay`);
  await browser.fill('/replay', { days: '7' });
  t.equal(browser.path, `${path}?done=webhook-replayed`);
  await waitUntil(() => received.length === 1);
  t.equal(received[0]?.event.type, 'code.created');

  await browser.open(`${path}/secret`);
  await browser.fill('/secret', { overlap: '3600' });
  const next = readSecret(browser.main);
  t.not(next, secret);
  await browser.open(path);
  t.match(browser.main, 'The previous secret works until');
  await browser.send('/test');
  await waitUntil(() => received.length === 2);
  verifyWebhook(secret, received[1] as ReceivedWebhook);
  verifyWebhook(next, received[1] as ReceivedWebhook);

  await browser.open(`${path}/delete`);
  t.match(browser.main, 'can’t be undone');
  await browser.send('/delete');
  t.equal(browser.path, `${listPath}?done=webhook-deleted`);
  t.equal((await browser.open(path)).status, 404);
});

t.test('a public address returns its challenge, or the owner enters it', async (t) => {
  const test = await startWebhooks(t);
  test.services.webhookSender.resolveAddresses = async () => [{ address: '127.0.0.1', family: 4 }];
  let isAnswering = false;
  const { received, createUrl } = await startPublicReceiver(t, ({ data }) =>
    isAnswering ? String(data.challenge) : 'ok',
  );
  const one = await test.createEndpoint(createUrl());
  const browser = await signIn(test, test.owner);
  const path = `/app/${test.owner.id}/developers/webhooks`;
  const refresh = async (text: string) => (await browser.open(browser.path)) && browser.main.includes(text);
  await browser.open(`${path}/${one.id}`);
  await waitUntil(() => refresh('The challenge wasn’t returned'));
  t.match(browser.main, 'Not confirmed');
  await browser.fill('/verify', { challenge: ' ' });
  t.equal(browser.page.status, 400);
  await browser.fill('/verify', { challenge: 'wrong' });
  t.match(browser.main, 'This is not the challenge');
  t.match(browser.main, '<details open>');
  await browser.fill('/verify', { challenge: ` ${received[0]?.data.challenge} ` });
  t.match(browser.main, 'The address is confirmed.');
  t.match(browser.main, 'Active');

  const other = await test.createEndpoint(createUrl());
  await browser.open(`${path}/${other.id}`);
  await waitUntil(() => refresh('The challenge wasn’t returned'));
  isAnswering = true;
  await browser.send('/test');
  await waitUntil(() => refresh('HTTP 200'));
  await browser.open(`${path}/${other.id}`);
  await waitUntil(() => refresh('Active'));

  test.services.webhookSender.resolveAddresses = () =>
    Promise.reject(new HostAddressError('ADDRESS_NOT_ALLOWED'));
  await browser.send('/test');
  await waitUntil(() => refresh('leads to a private address'));
});

t.test('content needs a recent sign-in, and webhooks of others do not exist', async (t) => {
  const app = await startTestApp(t);
  const [user, stranger] = [await app.createUser(), await app.createUser()];
  const browser = await signIn(app, user);
  const path = `/app/${user.id}/developers/webhooks`;
  await browser.open(`${path}/new`);
  await ageSessions(app);
  const fields = { url: 'http://localhost:9/', 'event-scan.*': '1', include: '1' };
  await browser.fill('/webhooks', fields);
  t.equal(browser.page.status, 401);
  t.match(browser.page.text, 'event-scan.*', 'what was entered is kept');
  t.equal(await app.database.client.webhookEndpoint.count(), 0);
  await browser.open(`${path}/new`);
  await browser.fill('/webhooks', { url: fields.url, 'event-scan.*': '1' });
  t.equal(browser.page.status, 200, 'ids only');
  const { id } = await app.database.client.webhookEndpoint.findFirstOrThrow();

  const other = await signIn(app, stranger);
  const foreign = `/app/${stranger.id}/developers/webhooks/${id}`;
  const event = '65f0a1b2c3d4e5f6a7b8c9d0';
  for (const page of ['', '/edit', '/secret', '/delete', '/replay', `/deliveries/${event}`]) {
    t.equal((await other.open(foreign + page)).status, 404, page);
    t.equal((await other.open(`${path}/${id}${page}`)).status, 404, page);
  }
  await other.open(`/app/${stranger.id}/developers/webhooks/new`);
  const { token = '' } = other.readForm('/webhooks').fields;
  const body = String(new URLSearchParams({ token, version: '1', challenge: 'x', ...fields }));
  for (const action of ['edit', 'pause', 'resume', 'secret', 'delete', 'test', 'verify', 'replay'])
    t.equal((await other.open(`${foreign}/${action}`, { method: 'POST', body })).status, 404, action);
  t.equal(await app.database.client.webhookEndpoint.count(), 1);
});

t.test('deliveries are read page by page, newest first, on pages of a small size', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const body = { url: 'http://localhost:9/', eventTypes: ['*'] };
  const { id } = (await app.call('POST', '/api/webhook-endpoints', { token: user.accessToken, body })).body;
  const eventIds = Array.from({ length: 23 }, () => generateId())
    .toSorted()
    .toReversed();
  await app.database.client.webhookDelivery.createMany({
    data: eventIds.map((eventId) => ({
      ...{ accountId: user.id, endpointId: id, eventId, eventType: 'webhook_endpoint.verification' },
      ...{ eventData: { id }, eventAt: new Date(), status: 'FAILED', nextAttemptAt: null },
      attempts: [
        {
          at: new Date().toISOString(),
          statusCode: 200,
          error: 'CHALLENGE_NOT_RETURNED',
          durationMs: 12345,
        },
      ],
    })),
  });
  // Its letters take the most bytes.
  await app.database.client.user.update({ where: { id: user.id }, data: { language: 'hi' } });
  const browser = await signIn(app, user);
  const path = `/app/${user.id}/developers/webhooks`;
  await browser.open(`${path}/${id}?status=FAILED`);
  const listIds = () => [...browser.main.matchAll(/\/deliveries\/([0-9a-f]{24})"/g)].map(([, one]) => one);
  t.same(listIds(), eventIds.slice(0, 20));
  const bytes = Buffer.byteLength(browser.page.text);
  t.ok(bytes < 32_000, `${bytes} bytes`);
  await browser.open(/rel="next" href="([^"]*)"/.exec(browser.main)?.[1] ?? '');
  t.same(listIds(), eventIds.slice(20));
  await browser.open(/rel="prev" href="([^"]*)"/.exec(browser.main)?.[1] ?? '');
  t.same(listIds(), eventIds.slice(0, 20));
  for (const page of ['/new', `/${id}/edit`, '/receiver']) {
    await browser.open(path + page);
    t.ok(Buffer.byteLength(browser.page.text) < 30_000, page);
  }
});

t.test('the notification of a webhook that is gone opens it', async (t) => {
  const test = await startWebhooks(t);
  const { url } = await startReceiver(t, () => 410);
  const { id } = await test.createEndpoint(url);
  const browser = await signIn(test, test.owner);
  const path = `/app/${test.owner.id}/developers/webhooks/${id}`;
  await test.createCode();
  const find = () =>
    test.database.client.notification.findFirst({ where: { event: 'webhook_endpoint.disabled' } });
  await waitUntil(async () => (await find()) !== null);
  const notification = await find();
  await browser.open(`/app/notifications/${notification?.id}`);
  t.equal(browser.path, path);
  t.match(browser.main, 'it’s gone (410)');
  await browser.open(`${path}/delete`);
  await browser.send('/delete');
  await browser.open(`/app/notifications/${notification?.id}`);
  t.equal(browser.page.status, 200);
  t.notMatch(browser.main, path, 'a deleted one is not linked');
});

t.test('refusals stand on the page', async (t) => {
  const test = await startWebhooks(t);
  const { url } = await startReceiver(t);
  const { id } = await test.createEndpoint(url);
  const browser = await signIn(test, test.owner);
  const path = `/app/${test.owner.id}/developers/webhooks`;
  await browser.open(`${path}/${id}`);
  await test.database.client.webhookEndpoint.updateMany({
    data: { disabledAt: new Date(), disabledReason: 'FAILING' },
  });
  await browser.send('/test');
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Turn it back on first');
  await browser.open(`${path}/${id}`);
  t.match(browser.main, 'For three days it only failed');
  await browser.open(`${path}/${id}/replay`);
  await browser.fill('/replay');
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'Turn it back on first');
  await browser.open(`${path}/${id}/replay?from=2026-11-28T10:00:00.000Z&includeDelivered=1`);
  t.match(browser.main, 'There are more');
  t.match(browser.readForm('/replay').fields, { from: '2026-11-28T10:00:00.000Z', includeDelivered: '1' });
  for (let count = 1; count < 10; count++) await test.createEndpoint(`${url}${count}`);
  await browser.open(`${path}/new`);
  await browser.fill('/webhooks', { url, 'event-*': '1' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'You have 10 webhooks already');
});

function readSecret(main: string): string {
  return /<pre id="secret" dir="ltr">(.*?)<\/pre>/.exec(main)?.[1] ?? '';
}
