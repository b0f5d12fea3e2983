import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

t.test('an unchanged file is 304, also for a client that sends no-cache', async (t) => {
  const { call, dataDir } = await startTestApp(t);
  const name = 'profile-1795261875110-123456789.png';
  await writeFile(join(dataDir, 'uploads', 'profile-pictures', name), 'picture');
  const url = `/uploads/profile-pictures/${name}`;
  const first = await call('GET', url);
  t.equal(first.status, 200);
  const etag = String(first.headers.etag);
  for (const more of [[], [['cache-control', 'no-cache']]]) {
    const headers = Object.fromEntries([['if-none-match', etag], ...more]);
    t.equal((await call('GET', url, { headers })).status, 304);
  }
});

t.test('rejects prototype names in queries, also nested ones', async (t) => {
  const { call } = await startTestApp(t);
  for (const name of ['__proto__', 'constructor', 'constructor.prototype', 'a.__proto__.b']) {
    t.equal((await call('GET', `/?${name}=1`)).status, 400, name);
  }
});

t.test('the API reference requests nothing from other hosts and nothing over https', async (t) => {
  const { call } = await startTestApp(t);
  const page = await call('GET', '/api/docs/');
  t.equal(page.status, 200);
  t.notMatch(String(page.headers['content-security-policy']), /upgrade-insecure|https:|validator/);
});

t.test('the mailbox is 404 for any other host name or origin than those of this machine', async (t) => {
  const { app } = await startTestApp(t);
  const ask = (headers: Record<string, string>) => app.inject({ url: '/api/sandbox/mailbox', headers });
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
    const answer = await ask({ host });
    t.equal(answer.statusCode, 200, host);
    t.notOk(answer.headers['access-control-allow-origin']);
    t.equal((await ask({ host, origin: `http://${host}` })).statusCode, 200);
  }
  t.equal((await ask({ host: 'localhost', origin: 'https://evil.example' })).statusCode, 404);
  t.equal((await ask({ host: 'localhost', origin: 'null' })).statusCode, 404);
  for (const host of [
    ...[
      'evil.example',
      'localhost.evil.example',
      'localhost.',
      'evil.localhost',
      '127.1',
      '127.0.0.1.evil.example',
    ],
    ...[
      '2130706433',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
      '[::]',
      'localhost:80@evil.example',
      'localhost:3000:80',
    ],
  ])
    t.not((await ask({ host })).statusCode, 200, host);
});

t.test('the mailbox shows a mail as text with links that work, and as HTML without scripts', async (t) => {
  const { app, dataDir } = await startTestApp(t);
  const get = (path: string) =>
    app.inject({ url: `/api/sandbox/mailbox${path}`, headers: { host: 'localhost' } });
  const file = '20261127T090000Z-0123456789abcdef.eml';
  const markup = '<p>Markup <script>1</script></p>';
  await writeFile(
    join(dataDir, 'mailbox', file),
    `Subject: Links
To: ada@example.org
Date: Fri, 27 Nov 2026 09:07:02 +0000
Content-Type: multipart/alternative; boundary="part"

--part
Content-Type: text/plain

See <http://a.example/?a=1&b=%22>, "https://b.example/"><script>1</script>, (https://c.example/d). javascript:1
--part
Content-Type: text/html

${markup}
--part--
`,
  );
  t.match(
    (await get('')).body,
    /<time datetime="2026-11-27T09:07:02.000Z">27 Nov 2026, \d\d:\d\d [^<]+<\/time>/,
  );
  const mail = (await get(`/${file}`)).body;
  const links = [...mail.matchAll(/<a href="(http[^"]+)" rel="noopener noreferrer">/g)].map(([, url]) => url);
  t.same(links, ['http://a.example/?a=1&#38;b=%22', 'https://b.example/', 'https://c.example/d']);
  t.notMatch(mail, /<script|href="javascript/);
  t.ok(mail.includes(`href="/api/sandbox/mailbox/${file}/html"`));
  const { body, headers } = await get(`/${file}/html`);
  t.equal(body, markup);
  t.match(headers['content-type'], 'text/html');
  t.match(headers['content-security-policy'], /^sandbox(?: allow-popups[\w-]*)*; default-src 'none';/);
});

t.test('the mailbox is 404 through a proxy, whatever host it forwards', async (t) => {
  for (const TRUST_PROXY of ['', '127.0.0.1']) {
    const { app } = await startTestApp(t, { TRUST_PROXY });
    const ask = (headers: Record<string, string>) => app.inject({ url: '/api/sandbox/mailbox', headers });
    t.equal((await ask({ host: 'qr.example.org', 'x-forwarded-host': 'localhost' })).statusCode, 404);
    for (const [name, value] of [
      ['x-forwarded-for', '127.0.0.1'],
      ['x-forwarded-for', ''],
      ['x-forwarded-host', 'localhost'],
      ['x-forwarded-proto', 'https'],
      ['x-real-ip', '203.0.113.7'],
      ['x-forwarded-server', 'proxy'],
      ['x-client-ip', '127.0.0.1'],
      ['true-client-ip', '127.0.0.1'],
      ['cf-connecting-ip', '127.0.0.1'],
      ['x-original-host', 'localhost'],
      ['x-envoy-external-address', '127.0.0.1'],
      ['forwarded', 'for=203.0.113.7'],
      ['via', '1.1 proxy'],
    ] as const)
      t.equal((await ask({ host: 'localhost:3000', [name]: value })).statusCode, 404, name);
  }
});
