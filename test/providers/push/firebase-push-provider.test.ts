import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { promisify } from 'node:util';
import { createFirebasePushProvider } from '../../../src/providers/push/firebase-push-provider.ts';
import type { PushError, PushMessage } from '../../../src/providers/push/push.port.ts';
import { readFirebaseServiceAccount } from '../../../src/shared/firebase-service-account.ts';
import { t } from '../../tap.ts';
import { FCM_RESPONSES } from './fcm-responses.ts';
import { createServiceAccount, startFcmServer } from './fcm-server.ts';

const server = await startFcmServer();
t.teardown(() => server.close());
const account = readFirebaseServiceAccount(createServiceAccount());

const PUSH: PushMessage = {
  token: 'fcm:a-device-of-somebody',
  title: 'One of your codes was scanned',
  body: '',
  data: { notificationId: '6b0185b226c9b3547a1e4d9c' },
  collapseKey: '6b0185b226c9b3547a1e4d9c',
  urgent: true,
  ttl: 3600,
};

const { replyToToken } = server.state;
/** The code of a failure; null for a success. */
const getFailure = (sent: Promise<void>) =>
  sent.then(
    () => null,
    (error: PushError) => error,
  );

t.beforeEach(() => {
  server.state.replyToToken = replyToToken;
  server.received.length = 0;
  server.state.reply = FCM_RESPONSES.accepted;
});

t.test('sends a push once for all platforms and reuses the access token', async (t) => {
  const push = createFirebasePushProvider(account);
  await push.send(PUSH);
  await push.send({ ...PUSH, urgent: false, body: 'More.' });
  t.match(server.received, [
    {
      token: PUSH.token,
      notification: { title: PUSH.title },
      data: PUSH.data,
      android: { priority: 'HIGH', ttl: '3600s', notification: { tag: PUSH.collapseKey } },
      apns: { headers: { 'apns-priority': '10', 'apns-collapse-id': PUSH.collapseKey } },
      webpush: { headers: { TTL: '3600', Urgency: 'high', Topic: PUSH.collapseKey } },
    },
    {
      notification: { body: 'More.' },
      android: { priority: 'NORMAL' },
      webpush: { headers: { Urgency: 'normal' } },
    },
  ]);
  t.equal(server.received.length, 2);
  t.equal(server.state.tokenCalls, 1);
});

t.test('maps each response to an action', async (t) => {
  const push = createFirebasePushProvider(account);
  const soon = new Date(Date.now() + 90_000).toUTCString();
  const cases = [
    [FCM_RESPONSES.unregistered(), 'DEVICE_GONE', 'UNREGISTERED'],
    [FCM_RESPONSES.invalidToken(), 'DEVICE_GONE', 'INVALID_TOKEN'],
    [FCM_RESPONSES.quota(), 'BUSY', 'QUOTA_EXCEEDED', 60],
    [FCM_RESPONSES.quota('30'), 'BUSY', 'QUOTA_EXCEEDED', 30],
    [FCM_RESPONSES.quota('999999'), 'BUSY', 'QUOTA_EXCEEDED', 3600],
    [FCM_RESPONSES.unavailable('soon'), 'BUSY', 'UNAVAILABLE', null],
    [FCM_RESPONSES.internal(), 'BUSY', 'UNAVAILABLE', null],
    [FCM_RESPONSES.unavailable('7'), 'BUSY', 'UNAVAILABLE', 7],
    [FCM_RESPONSES.garbage(), 'BUSY', 'UNREADABLE_ANSWER'],
    [FCM_RESPONSES.redirect(), 'BUSY', 'UNREADABLE_ANSWER'],
    [{ status: 200, body: 'x'.repeat(100_000) }, 'BUSY', 'UNAVAILABLE'],
    [FCM_RESPONSES.unauthenticated(), 'CREDENTIALS', 'CREDENTIALS'],
    [FCM_RESPONSES.appleKey(), 'PLATFORM_CREDENTIALS', 'PLATFORM_CREDENTIALS'],
    [FCM_RESPONSES.appleKeyWithoutCode(), 'PLATFORM_CREDENTIALS', 'PLATFORM_CREDENTIALS'],
    [FCM_RESPONSES.appleError(), 'PLATFORM_CREDENTIALS', 'PLATFORM_CREDENTIALS'],
    [FCM_RESPONSES.forbidden(), 'CREDENTIALS', 'CREDENTIALS'],
    [FCM_RESPONSES.noProject(), 'CREDENTIALS', 'CREDENTIALS'],
    [FCM_RESPONSES.otherSender(), 'REFUSED', 'SENDER_ID_MISMATCH'],
    [FCM_RESPONSES.invalidMessage(), 'REFUSED', 'INVALID_ARGUMENT'],
  ] as const;
  for (const [reply, failure, reason, retryAfter = null] of cases) {
    server.state.reply = () => reply;
    server.received.length = 0;
    t.match(await getFailure(push.send(PUSH)), { failure, reason, retryAfter }, reason);
    t.equal(server.received.length, 1, 'one attempt, whatever the response');
  }
  server.state.reply = () => FCM_RESPONSES.unavailable(soon);
  const wait = (await getFailure(push.send(PUSH)))?.retryAfter ?? 0;
  t.ok(wait > 60 && wait <= 91, 'a time instead of seconds');
});

t.test('times out without a response, also in the library', async (t) => {
  const push = createFirebasePushProvider(account, 500);
  server.state.reply = FCM_RESPONSES.silence;
  t.match(await getFailure(push.send(PUSH)), { failure: 'BUSY', reason: 'TIMEOUT' });
  t.equal(server.received.length, 1);
  server.state.replyToToken = () => null;
  t.match(
    await getFailure(
      createFirebasePushProvider({ ...account, projectId: 'a-third-project' }, 500).send(PUSH),
    ),
    {
      failure: 'BUSY',
      reason: 'TIMEOUT',
    },
  );
  t.equal(server.received.length, 1);
});

t.test('an unknown account or a revoked key is a CREDENTIALS failure', async (t) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = { ...account, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  t.match(await getFailure(createFirebasePushProvider(other).send(PUSH)), { failure: 'CREDENTIALS' });
  for (const status of [401, 403]) {
    server.state.replyToToken = () => ({ status, body: '{"error":"unauthorized_client"}' });
    t.match(
      await getFailure(createFirebasePushProvider({ ...account, projectId: 'another-project' }).send(PUSH)),
      {
        failure: 'CREDENTIALS',
      },
    );
  }
  server.state.replyToToken = () => ({ status: 503, body: '{}' });
  t.match(
    await getFailure(createFirebasePushProvider({ ...account, projectId: 'another-project' }).send(PUSH)),
    {
      failure: 'BUSY',
      reason: 'UNAVAILABLE',
    },
  );
  t.equal(server.received.length, 0);
});

t.test('a separate process finds the servers by its environment', async (t) => {
  const script = `import('node:https').then(({ get }) =>
    get('https://fcm.googleapis.com/nowhere', (answer) => { console.log(answer.statusCode); process.exit(); }))`;
  const env = { ...process.env, ...server.environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], { env });
  t.equal(stdout.trim(), '404');
});
