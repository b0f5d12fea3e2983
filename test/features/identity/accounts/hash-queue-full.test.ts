import { createTestGate } from '../../../gate.ts';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureStatements, isProblem, requestResetToken } from './helper.ts';

/** Fill the password queue; the returned function empties it. */
function fillHashQueue({ services }: TestApp) {
  const line = createTestGate();
  const slots: Promise<void>[] = [];
  let full = false;
  const take = async () => {
    const slot = services.passwords.runQueued(() => line.whenOpened);
    slots.push(slot);
    slot.catch(() => {
      full = true;
    });
    await Promise.resolve();
  };
  return {
    async take() {
      while (!full) await take();
    },
    async free() {
      line.open();
      await Promise.allSettled(slots);
    },
  };
}

t.test('with a full hash queue a request that needs a hash fails before its first statement', async (t) => {
  const app = await startTestApp(t);
  const { email, accessToken: token } = await app.createUser();
  const reset = await requestResetToken(app, email);
  const NEW = 'a quite different password';
  const calls = [
    ['login', { email, password: TEST_PASSWORD }],
    ['login', { email: 'nobody@example.org', password: TEST_PASSWORD }],
    ['register', { email: 'new@example.org', password: TEST_PASSWORD }],
    ['reset-password', { token: reset, password: NEW }],
  ] as const;
  const line = fillHashQueue(app);
  await line.take();
  for (const [url, body] of calls) {
    const statements = await captureStatements(t, app, async () => {
      t.ok(isProblem(await app.call('POST', `/api/auth/${url}`, { body }), 503, 'BUSY'), url);
    });
    t.same(statements, [], url);
  }
  const change = { currentPassword: TEST_PASSWORD, newPassword: NEW };
  const refused = await app.call('POST', '/api/auth/change-password', { token, body: change });
  t.ok(isProblem(refused, 503, 'BUSY'));
  const delays = app.database.client.loginDelay;
  t.equal(await delays.count(), 0, 'no attempt is consumed');
  await line.free();
  for (const [url, body] of calls) {
    const { status } = await app.call('POST', `/api/auth/${url}`, { body });
    t.ok([200, 201, 401].includes(status), `${url}: ${status}`);
  }
});

t.test('rejected and failed calls release their queue slots', async (t) => {
  const app = await startTestApp(t);
  const { email } = await app.createUser();
  for (let count = 0; count < 40; count++) {
    const bodies = [
      { email: `u${count}@example.org`, password: 'wrong' },
      { email, password: 'wrong' },
    ];
    for (const body of bodies) await app.call('POST', '/api/auth/login', { body });
    await app.call('POST', '/api/auth/reset-password', { body: { token: 'x', password: 'password123' } });
  }
  const { status } = await app.call('POST', '/api/auth/login', {
    body: { email: 'another@example.org', password: TEST_PASSWORD },
  });
  t.equal(status, 401);
});
