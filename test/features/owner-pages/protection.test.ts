import { Agent, request } from 'node:http';
import { createSessionToken } from '../../access/callers.ts';
import { generateAbsentId, startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { listenOnFreePort } from '../../platform/http/helper.ts';
import { t } from '../../tap.ts';
import { TestBrowser } from './browser.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

t.test('a signed-in browser is protected', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const signIn = async () => {
    const browser = new TestBrowser(test);
    await browser.open('/app/sign-in');
    await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
    t.equal(browser.path, `/app/${user.id}`);
    return browser;
  };
  const browser = await signIn();
  const cookie = `__Host-session=${browser.cookies.get('__Host-session')}`;

  await t.test('the cookie is of this host, for no script, and only its hash is stored', async (t) => {
    const page = await test.call('GET', '/app/sign-in');
    const { hidden } = await formOf(page.text);
    const answer = await test.call('POST', '/app/sign-in', {
      headers: { ...FORM, cookie: cookieOf(page.headers['set-cookie']) },
      body: String(new URLSearchParams({ ...hidden, email: user.email, password: TEST_PASSWORD })),
    });
    const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
    const line = lines.find((one) => one.startsWith('__Host-session=')) ?? '';
    t.match(line, /; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const [secret = ''] = (line.split('=')[1] ?? '').split('.');
    t.match(secret, /^[\w-]{43}$/);
    const { rows } = await test.database.pool.query('SELECT * FROM sessions');
    t.ok(rows.some(({ cookie_hash: hash }) => hash !== null));
    t.notMatch(JSON.stringify(rows), secret);
    const tokens = await test.database.client.refreshToken.findMany({ include: { session: true } });
    t.ok(
      tokens.every(({ session }) => session.cookieHash === null),
      'it has no refresh token',
    );
  });

  await t.test('it opens nothing of the API, and an access token no page', async (t) => {
    t.equal((await test.call('GET', '/api/auth/me', { headers: { cookie } })).status, 401);
    const page = await test.call('GET', `/app/${user.id}`, { token: user.accessToken });
    t.match(page, { status: 303, headers: { location: /^\/app\/sign-in\?/ } });
  });

  await t.test('a cookie with another secret, another session or another signature is none', async (t) => {
    const [secret = '', sessionId = '', userId = '', signature = ''] = (cookie.split('=')[1] ?? '').split(
      '.',
    );
    const other = await createSessionToken(test, user);
    const [otherSecret = ''] = (other.page.cookie.split('=')[1] ?? '').split('.');
    for (const value of [
      [otherSecret, sessionId, userId, signature],
      [secret, other.sessionId, userId, signature],
      [secret, sessionId, '0'.repeat(24), signature],
      [secret, sessionId, userId, signature.slice(1)],
      [secret, sessionId],
      ['x'.repeat(5_000)],
    ]) {
      const headers = { cookie: `__Host-session=${value.join('.')}` };
      t.equal(
        (await test.call('GET', `/app/${user.id}`, { headers })).status,
        303,
        value.join('.').slice(0, 80),
      );
    }
    t.equal((await test.call('GET', `/app/${user.id}`, { headers: { cookie } })).status, 200);
  });

  await t.test('forms need a token of this session, from a page of ours', async (t) => {
    const path = `/app/${user.id}/welcome`;
    const hidden = browser.findForm('/sign-out')?.hidden ?? {};
    const stranger = await signIn();
    const foreign = stranger.findForm('/sign-out')?.hidden.token ?? '';
    const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      test.call('POST', path, {
        headers: { ...FORM, cookie, ...headers },
        body: String(new URLSearchParams(fields)),
      });
    t.equal((await send({})).status, 403, 'none');
    t.equal((await send({ token: foreign })).status, 403, 'of another session');
    t.equal((await send({ token: `${hidden.token}x` })).status, 403, 'changed');
    t.equal((await send(hidden, { 'sec-fetch-site': 'cross-site' })).status, 403, 'of another site');
    t.equal((await send(hidden, { origin: 'https://evil.example' })).status, 403, 'of another origin');
    t.not((await send(hidden)).status, 403, 'the right one');
    const signOut = await test.call('POST', '/app/sign-out', { headers: { ...FORM, cookie }, body: '' });
    t.match(signOut, { status: 303, headers: { location: '/app' } });
    t.equal(
      (await test.call('GET', `/app/${user.id}`, { headers: { cookie } })).status,
      200,
      'still signed in',
    );
  });

  await t.test('a session that was planted in a browser does not become that of its user', async (t) => {
    const victim = new TestBrowser(test);
    const planted = await createSessionToken(test, await test.createUser());
    victim.cookies.set('__Host-session', planted.page.cookie.split('=')[1] ?? '');
    await victim.open('/app/sign-in?reason=again');
    await victim.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
    t.equal(victim.path, `/app/${user.id}`);
    t.not(`__Host-session=${victim.cookies.get('__Host-session')}`, planted.page.cookie);
    const old = await test.call('GET', `/app/${user.id}`, { headers: { cookie: planted.page.cookie } });
    t.equal(old.status, 303, 'the planted one has ended');
  });

  await t.test('a sign-in leads only to pages of this service', async (t) => {
    for (const to of [
      'https://evil.example/app',
      '//evil.example/app',
      '/\\evil.example',
      '/\t/evil.example',
      '/app/../../evil',
      '/api/auth/me',
      '/app2',
      'javascript:alert(1)',
      `/app/${'x'.repeat(600)}`,
    ]) {
      const visitor = new TestBrowser(test);
      await visitor.open(`/app/sign-in?${new URLSearchParams({ to })}`);
      await visitor.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
      t.equal(visitor.path, `/app/${user.id}`, JSON.stringify(to.slice(0, 40)));
      const signedIn = await visitor.open(`/app/sign-in?${new URLSearchParams({ to })}`);
      t.equal(signedIn.status, 200);
      t.equal(visitor.path, `/app/${user.id}`);
    }
  });

  await t.test(
    'another site cannot sign in with the provider, and a password is proven by itself',
    async (t) => {
      const start = (headers: Record<string, string>) =>
        test.call('GET', '/app/sign-in/provider', { headers });
      t.match(await start({ 'sec-fetch-site': 'cross-site' }), {
        status: 303,
        headers: { location: /\/app\/sign-in/ },
      });
      t.match(await start({ cookie }), { status: 303, headers: { location: /\/app\/sign-in/ } });
      const again = await test.call('GET', '/app/sign-in?reason=again', { headers: { cookie } });
      t.notMatch(again.text, '/sign-in/provider');
    },
  );

  await t.test('a form that is too old begins anew, and costs no attempt', async (t) => {
    const visitor = new TestBrowser(test);
    await visitor.open('/app/sign-in');
    await visitor.send('/sign-in', { email: user.email, password: 'wrong password', token: 'old' });
    t.equal(visitor.page.status, 200);
    t.equal(visitor.title, 'Sign in');
    visitor.cookies.clear();
    await visitor.send('/sign-in', { email: user.email, password: 'wrong password' });
    t.equal(visitor.page.status, 403);
    t.match(visitor.main, 'Your browser sent no cookie', 'a browser that refuses cookies is told so');
    const attempts = await test.database.client.auditEntry.count({ where: { action: 'LOGIN_FAILED' } });
    t.equal(attempts, 0);
  });

  await t.test('pages stay in no cache, are in no frame, and run no script but ours', async (t) => {
    for (const path of [
      '/app/sign-in?reason=again',
      '/app/sign-up',
      '/app/reset-password',
      `/app/${user.id}`,
    ]) {
      const { headers, text } = await test.call('GET', path, { headers: { cookie } });
      t.equal(headers['cache-control'], 'no-store', path);
      t.match(headers['content-security-policy'], /script-src 'self';.*frame-ancestors 'none'/);
      t.notMatch(headers['content-security-policy'], /unsafe/);
      t.notMatch(text, /<script>|\son\w+=|style="/);
      t.equal(headers['referrer-policy'], 'no-referrer');
    }
  });

  await t.test('the page of somebody else is none', async (t) => {
    const other = await test.createUser();
    for (const path of [`/app/${other.id}`, `/app/${other.id}/welcome`, '/app/0123456789abcdef01234567'])
      t.equal((await test.call('GET', path, { headers: { cookie } })).status, 404, path);
  });

  await t.test(
    'what was sent without a session is sent after the sign-in, but never for another site',
    async (t) => {
      const account = await test.createUser({ profile: false });
      const visitor = new TestBrowser(test);
      await visitor.open('/app/sign-in');
      await visitor.send('/sign-in', { email: account.email, password: TEST_PASSWORD });
      t.equal(visitor.title, 'What’s your name?');
      const session = visitor.cookies.get('__Host-session');
      await test.database.client.session.updateMany({
        where: { userId: account.id },
        data: { endedAt: new Date(), endReason: 'REVOKED' },
      });
      await visitor.send('/welcome', { firstName: '"><b>Ada', lastName: 'Lovelace' });
      t.equal(visitor.page.status, 401);
      t.equal(visitor.title, 'Sign in');
      await visitor.send('/sign-in', { email: account.email, password: TEST_PASSWORD });
      t.equal(visitor.title, 'You’re signed in');
      t.not(visitor.cookies.get('__Host-session'), session);
      await visitor.send('/welcome');
      t.equal(visitor.path, `/app/${account.id}`);
      const row = await test.database.client.user.findUniqueOrThrow({ where: { id: account.id } });
      t.equal(row.firstName, '"><b>Ada');

      await test.database.client.session.updateMany({
        where: { userId: account.id },
        data: { endedAt: new Date(), endReason: 'REVOKED' },
      });
      await visitor.send('/sign-out');
      await visitor.open('/app/sign-in');
      const draft = { action: `/app/${account.id}/welcome`, fields: { firstName: 'of Ada', token: 'x' } };
      await visitor.send('/sign-in', {
        email: user.email,
        password: TEST_PASSWORD,
        draft: JSON.stringify(draft),
      });
      t.equal(visitor.path, `/app/${user.id}`, 'somebody else who signs in does not get it');
      t.notMatch(visitor.page.text, 'of Ada');
      for (const site of ['cross-site', 'same-site', '']) {
        const answer = await test.call('POST', `/app/${account.id}/welcome`, {
          headers: { ...FORM, ...(site && { 'sec-fetch-site': site }) },
          body: 'firstName=planted&lastName=x',
        });
        t.notMatch(answer.text, 'planted', site);
      }
    },
  );
});

t.test('a service with a path leads to what was wanted, and sends a form again', async (t) => {
  const test = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org/tags' });
  const user = await test.createUser({ profile: false });
  // A proxy removes the path.
  const call: typeof test.call = (method, url, options) => {
    t.match(url, /^\/tags\//);
    return test.call(method, url.replace('/tags', ''), options);
  };
  const browser = new TestBrowser({ call });
  await browser.open(`/tags/app/${user.id}/welcome?note=password-link`);
  t.equal(browser.title, 'Sign in');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  t.equal(
    browser.path,
    `/tags/app/${user.id}/welcome?to=${encodeURIComponent(`/tags/app/${user.id}/welcome?note=password-link`)}`,
  );
  await test.database.pool.query('UPDATE sessions SET ended_at = now(), end_reason = $1', ['REVOKED']);
  await browser.send('/welcome', { firstName: 'Ada', lastName: 'Lovelace' });
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  await browser.send('/welcome');
  t.equal(browser.path, `/tags/app/${user.id}`);
});

t.test('a refused form is read to its end, so that the connection goes on', async (t) => {
  const test = await startTestApp(t);
  const port = await listenOnFreePort(test.app);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const send = (method: string, path: string, body = '') =>
    new Promise<number>((resolve, reject) => {
      const headers = { ...FORM, 'sec-fetch-site': 'same-origin', 'content-length': body.length };
      const sent = request({ port, method, path, agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end(body);
    });
  const path = `/app/${generateAbsentId()}/welcome`;
  t.equal(await send('POST', path, `firstName=${'x'.repeat(300_000)}`), 401);
  t.equal(await send('GET', '/app/sign-in'), 200);
  await t.rejects(
    new Promise((_resolve, reject) => {
      // Larger than any form: nothing of it is read before the answer.
      const headers = { ...FORM, 'sec-fetch-site': 'same-origin', 'content-length': 5_000_000_000 };
      const sent = request({ port, method: 'POST', path, agent, headers }, ({ statusCode }) =>
        reject(new Error(`status ${statusCode}`)),
      );
      sent.on('error', reject).write('a=');
      t.teardown(() => sent.destroy());
    }),
    { message: 'status 401' },
  );
});

t.test('the pages can be switched off, and are where another application is', async (t) => {
  const settings: Record<string, string>[] = [
    { OWNER_PAGES: 'off' },
    { FRONTEND_URL: 'https://front.example.org' },
  ];
  for (const environment of settings) {
    const test = await startTestApp(t, environment);
    for (const path of ['/app', '/app/', '/app/sign-in', '/app/0123456789abcdef01234567'])
      t.equal((await test.call('GET', path)).status, 404, path);
    t.equal((await test.call('OPTIONS', '/app')).status, 404);
    t.notMatch((await test.call('GET', '/', { headers: { accept: 'text/html' } })).text, '/app/');
    t.notOk(test.app.declaredRoutes().some(({ url }) => url.startsWith('/app')));
  }
  const test = await startTestApp(t, { OWNER_PAGES: 'on', FRONTEND_URL: 'https://front.example.org' });
  t.equal((await test.call('GET', '/app/sign-in')).status, 200);
  for (const path of ['/app', '/app/sign-in', '/app/nothing/at/all'])
    t.equal((await test.call('OPTIONS', path)).status, 204, path);
  for (const path of ['/app2', '/App', '/login', '/favicon.ico', '/robots.txt', '/.well-known/x'])
    for (const method of ['GET', 'OPTIONS'])
      t.equal((await test.call(method, path)).status, 404, `${method} ${path}`);
});

function formOf(text: string) {
  const browser = new TestBrowser({
    call: async () => ({ status: 200, headers: {}, text, body: undefined }),
  });
  return browser.open('/').then(() => browser.findForm('/sign-in') ?? { hidden: {} });
}

function cookieOf(header: string | string[] | number | undefined): string {
  return [header ?? []]
    .flat()
    .map((line) => String(line).split(';')[0])
    .join('; ');
}
