import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { PushContent, PushError } from '../../../../src/providers/push/push.port.ts';
import {
  areSubscriptionKeysValid,
  encryptPushPayload,
  MAX_PAYLOAD_BYTES,
} from '../../../../src/providers/push/web-push/encrypt-payload.ts';
import { isAllowedPushEndpoint } from '../../../../src/providers/push/web-push/endpoint.rules.ts';
import { createWebPushProvider } from '../../../../src/providers/push/web-push/web-push-provider.ts';
import { deriveVapidKey, parseVapidKey } from '../../../../src/shared/crypto/vapid-key.ts';
import { resolvePublicHost } from '../../../../src/shared/resolve-public-host.ts';
import { t } from '../../../tap.ts';
import { createTestBrowser, startWebPushServer, verifyVapid } from '../web-push-server.ts';

const server = await startWebPushServer(t.teardown);

const HOSTS = ['fcm.googleapis.com', '*.push.apple.com'];

const CONTENT: PushContent = {
  title: 'One of your codes was scanned',
  body: 'Open the app.',
  data: { notificationId: '6b0185b226c9b3547a1e4d9c' },
  collapseKey: '6b0185b226c9b3547a1e4d9c',
  urgent: true,
  ttl: 3600,
};

const create = (options: Partial<Parameters<typeof createWebPushProvider>[0]> = {}) =>
  createWebPushProvider({
    vapidKey: deriveVapidKey('a secret of the tests'),
    contact: 'https://qr.example.org',
    hosts: HOSTS,
    allowsLoopback: true,
    resolveAddresses: (hostname) => resolvePublicHost(hostname),
    ...options,
  });

const getFailure = (sent: Promise<void>) =>
  sent.then(
    () => null,
    (error: PushError) => error,
  );

t.beforeEach(() => {
  server.received.length = 0;
  server.state.status = 201;
  server.state.headers = {};
});

t.test('encrypts as the example of RFC 8291, appendix A', (t) => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const fixed = {
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  };
  t.equal(
    encryptPushPayload(Buffer.from('When I grow up, I want to be a watermelon'), keys, fixed).toString(
      'base64url',
    ),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  t.end();
});

t.test('sends a push that only the browser can read, signed for its push service', async (t) => {
  const push = create();
  const browser = server.createBrowser();
  await push.send(browser.subscription, CONTENT);
  await push.send(browser.subscription, { ...CONTENT, urgent: false });
  const [first, second] = server.received;
  if (!first || !second) return t.fail('nothing was received');
  t.same(JSON.parse(browser.decrypt(first.body)), {
    title: CONTENT.title,
    body: CONTENT.body,
    data: CONTENT.data,
    tag: CONTENT.collapseKey,
  });
  t.match(first.headers, {
    'content-encoding': 'aes128gcm',
    ttl: '3600',
    urgency: 'high',
    topic: CONTENT.collapseKey,
  });
  t.equal(second.headers.urgency, 'normal');
  t.notSame(first.body.subarray(0, 86), second.body.subarray(0, 86), 'key and salt are new for each');
  const vapid = verifyVapid(first.headers.authorization);
  t.match(vapid, {
    publicKey: push.publicKey,
    claims: { aud: server.origin, sub: 'https://qr.example.org', exp: Number },
  });
  const other = server.createBrowser();
  t.throws(() => other.decrypt(first.body), 'another browser cannot read it');
});

t.test('keeps the longest texts within what push services accept', async (t) => {
  const browser = server.createBrowser();
  for (const character of ['\u0001', '🐕', '"', '\ud800']) {
    server.received.length = 0;
    const [title, body] = [character.repeat(2_000), character.repeat(9_000)];
    const data = Object.fromEntries(
      ['qrCodeId', 'scanId', 'conversationId', 'messageId', 'notificationId'].map((name) => [
        name,
        'f'.repeat(24),
      ]),
    );
    await create().send(browser.subscription, { ...CONTENT, title, body, data });
    const sent = server.received[0]?.body ?? Buffer.alloc(0);
    t.ok(sent.length <= 4_096 && sent.length > 0, `${sent.length} bytes`);
    t.ok(Buffer.byteLength(browser.decrypt(sent)) <= MAX_PAYLOAD_BYTES);
  }
});

t.test('tells what became of a push by the answer', async (t) => {
  const { subscription } = server.createBrowser();
  const cases = [
    [200, null],
    [202, null],
    [404, { failure: 'DEVICE_GONE', reason: 'UNREGISTERED' }],
    [410, { failure: 'DEVICE_GONE', reason: 'UNREGISTERED' }],
    [400, { failure: 'REFUSED', reason: 'INVALID_ARGUMENT' }],
    [401, { failure: 'REFUSED', reason: 'VAPID_KEY_REFUSED' }],
    [403, { failure: 'REFUSED', reason: 'VAPID_KEY_REFUSED' }],
    [413, { failure: 'REFUSED', reason: 'INVALID_ARGUMENT' }],
    [429, { failure: 'BUSY', reason: 'QUOTA_EXCEEDED', retryAfter: 60 }],
    [500, { failure: 'BUSY', reason: 'UNAVAILABLE', retryAfter: null }],
    [503, { failure: 'BUSY', reason: 'UNAVAILABLE', retryAfter: null }],
    [302, { failure: 'BUSY', reason: 'UNREADABLE_ANSWER' }],
  ] as const;
  for (const [status, failure] of cases) {
    server.state.status = status;
    server.state.headers = status === 302 ? { location: `${server.origin}/elsewhere` } : {};
    const result = await getFailure(create().send(subscription, CONTENT));
    if (failure === null) t.equal(result, null, `${status}`);
    else t.match(result, failure, `${status}`);
  }
  t.notOk(
    server.received.some(({ path }) => path === '/elsewhere'),
    'no redirect is followed',
  );
  server.state.status = 429;
  server.state.headers = { 'retry-after': '7' };
  t.match(await getFailure(create().send(subscription, CONTENT)), { retryAfter: 7 });
  server.state.headers = { 'retry-after': '999999' };
  t.match(await getFailure(create().send(subscription, CONTENT)), { retryAfter: 3_600 });
});

t.test('leaves a push service that accepts and never answers after the time limit', async (t) => {
  server.state.status = null;
  const push = create({ sendTimeoutMs: 300 });
  t.match(await getFailure(push.send(server.createBrowser().subscription, CONTENT)), {
    failure: 'BUSY',
    reason: 'TIMEOUT',
  });
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const { subscription } = createTestBrowser(`https://127.0.0.1:${port}/x`);
  t.match(await getFailure(push.send(subscription, CONTENT)), { reason: 'TIMEOUT' }, 'not even TLS');
  const never = create({ sendTimeoutMs: 300, resolveAddresses: () => new Promise(() => undefined) });
  const { subscription: named } = createTestBrowser('https://fcm.googleapis.com/fcm/send/x');
  t.match(await getFailure(never.send(named, CONTENT)), { reason: 'TIMEOUT' }, 'nor the name server');
});

t.test('ends running sends when it is closed', async (t) => {
  server.state.status = null;
  const push = create();
  const sending = getFailure(push.send(server.createBrowser().subscription, CONTENT));
  push.close();
  t.match(await sending, { failure: 'BUSY' });
});

t.test('sends to no host but push services, and to no private address', async (t) => {
  const isAllowed = (endpoint: string, allowsLoopback = false) =>
    isAllowedPushEndpoint(endpoint, { hosts: HOSTS, allowsLoopback });
  for (const endpoint of ['https://fcm.googleapis.com/fcm/send/abc', 'https://web.push.apple.com/abc'])
    t.ok(isAllowed(endpoint), endpoint);
  for (const endpoint of [
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://user@fcm.googleapis.com/',
    'https://fcm.googleapis.com/#x',
    'https://fcm.googleapis.com.evil.example/',
    'https://evilpush.apple.com/',
    'https://push.apple.com/',
    'https://push.example.org/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://localhost/',
    'http://127.0.0.1:9200/',
    'https://127.1/',
    'file:///etc/passwd',
    'not a URL',
  ])
    t.notOk(isAllowed(endpoint), endpoint);
  t.ok(isAllowed('http://127.0.0.1:9200/', true), 'outside production');
  t.notOk(isAllowed('http://10.0.0.1/', true));

  const { subscription } = server.createBrowser();
  const production = create({ allowsLoopback: false });
  t.match(await getFailure(production.send(subscription, CONTENT)), {
    failure: 'REFUSED',
    reason: 'ADDRESS_NOT_ALLOWED',
  });
  t.same(server.received, [], 'a subscription of before');
});

t.test('reads keys of subscriptions and of the service', (t) => {
  const { subscription } = createTestBrowser('https://fcm.googleapis.com/x');
  const { p256dh, auth } = subscription;
  t.ok(areSubscriptionKeysValid({ p256dh, auth }));
  const offCurve = Buffer.alloc(65, 1);
  offCurve[0] = 4;
  for (const wrong of [
    { p256dh: offCurve.toString('base64url'), auth },
    { p256dh: p256dh.slice(0, 40), auth },
    { p256dh: '', auth },
    { p256dh, auth: auth.slice(0, 10) },
    { p256dh, auth: '' },
  ])
    t.notOk(areSubscriptionKeysValid(wrong), JSON.stringify(wrong));
  t.equal(deriveVapidKey('a').publicKey, deriveVapidKey('a').publicKey);
  t.not(deriveVapidKey('a').publicKey, deriveVapidKey('b').publicKey);
  t.equal(deriveVapidKey('a').publicKey.length, 87);
  // From RFC 8291, appendix A.
  t.equal(
    parseVapidKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw').publicKey,
    'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  );
  t.throws(() => parseVapidKey('A'.repeat(43)), /not a private key/, 'zero');
  t.throws(() => parseVapidKey('_'.repeat(43)), /not a private key/, 'beyond the order of the curve');
  t.end();
});
