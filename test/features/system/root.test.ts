import Fastify from 'fastify';
import { rootRoutes } from '../../../src/features/system/root.routes.ts';
import { createPageFrame } from '../../../src/platform/pages/page-frame.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { SERVICE_VERSION } from '../../../src/shared/version.ts';
import { type CallOptions, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestCode } from '../codes/code-helper.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const LOCAL = { host: 'localhost:3000', accept: BROWSER };

t.test('the root is JSON for programs and a page for browsers', async (t) => {
  const { call } = await startTestApp(t, { BRAND_NAME: 'Tags & Tails' });
  for (const accept of [
    '',
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.5, */*',
  ]) {
    const { headers, body } = await call('GET', '/', accept ? { headers: { accept } } : {});
    t.match(headers['content-type'], 'application/json', accept);
    t.match(String(headers.vary), /\bAccept\b/);
    t.same(body, {
      name: 'QR Profile Service',
      version: SERVICE_VERSION,
      documentation: 'https://qr.example.org/api/docs',
    });
  }
  for (const { tag, direction } of LOCALES.values()) {
    const { headers, text } = await call('GET', `/?lang=${tag}`, { headers: { accept: BROWSER } });
    t.match(headers['content-type'], 'text/html', tag);
    t.match(String(headers.vary), /\bAccept\b/);
    t.match(text, `<html lang="${tag}" dir="${direction}">`);
    t.match(text, '<h1>Tags &#38; Tails</h1>');
    t.match(text, SERVICE_VERSION);
    t.match(text, 'href="/api/docs"');
    t.equal(text.match(/<script/g)?.length, 1);
    t.match(text, /<script src="\/app\/\w+\.js" defer><\/script>/);
    t.ok(Buffer.byteLength(text) < 20_000, `${tag}: ${Buffer.byteLength(text)} bytes`);
  }
});

t.test('the page alone may use the camera, and only while there are pages for owners', async (t) => {
  const withPages = await startTestApp(t);
  const options = { headers: { accept: BROWSER } };
  const page = await withPages.call('GET', '/?lang=de', options);
  t.equal(page.headers['permissions-policy'], 'camera=(self)');
  t.match(page.text, 'data-query="?lang=de"');
  t.equal((await withPages.call('GET', '/')).headers['permissions-policy'], 'camera=()', 'not for programs');
  t.equal((await withPages.call('GET', '/app/sign-in')).headers['permissions-policy'], 'camera=()');
  const withoutPages = await startTestApp(t, { OWNER_PAGES: 'off' });
  const plain = await withoutPages.call('GET', '/', options);
  t.equal(plain.headers['permissions-policy'], 'camera=()');
  t.notMatch(plain.text, '<script');
});

t.test('the page links the mailbox only on this machine and while mails stay here', async (t) => {
  const { call } = await startTestApp(t);
  const hasMailbox = async (options: CallOptions, at = call) =>
    (await at('GET', '/', options)).text.includes('href="/api/sandbox/mailbox"');
  t.ok(await hasMailbox({ headers: LOCAL }));
  t.notOk(await hasMailbox({ headers: { ...LOCAL, host: '192.168.1.5:3000' } }));
  t.notOk(await hasMailbox({ headers: LOCAL, remoteAddress: '192.168.1.9' }));
  const withServer = await startTestApp(t, { SMTP_URL: 'smtp://127.0.0.1:1' });
  t.notOk(await hasMailbox({ headers: LOCAL }, withServer.call));
});

t.test('the page lists codes of the demo only, and none in production', async (t) => {
  const app = await startTestApp(t);
  const read = async () => (await app.call('GET', '/', { headers: LOCAL })).text;
  const others = await Promise.all(
    [
      'ada@example.org',
      'demo-a1b2c3d4@example.com',
      'demo-a1b2c3d4x@example.org',
      'xdemo-a1b2c3d4@example.org',
    ].map(async (email) => createTestCode(app, await app.createUser({ email }))),
  );
  t.match(await read(), '<code dir="ltr">npm run demo</code>');
  t.notMatch(await read(), 'href="/s/');
  const demo = await app.createUser({ email: 'demo-a1b2c3d4@example.org' });
  const codes = [];
  for (let count = 0; count < 10; count++) codes.push(await createTestCode(app, demo));
  await app.call('DELETE', `/api/qrcodes/${codes[9]?.id}`, { token: demo.accessToken });
  const links = [...(await read()).matchAll(/href="\/s\/(\w+)">[^<]+<\/a> <span class="kind">Pet</g)].map(
    ([, id]) => id,
  );
  t.same(
    links,
    codes.slice(1, 9).map(({ id }) => id),
    'the eight newest, in the order of the demo',
  );
  for (const { id } of others) t.notOk((await read()).includes(id));

  const production = Fastify();
  t.teardown(() => production.close());
  const { config, brand } = app.services;
  production.setSerializerCompiler(() => JSON.stringify);
  production.decorate('pageFrame', createPageFrame(brand, 'https://qr.example.org/base'));
  await production.register(rootRoutes, {
    ...app.services,
    publicBaseUrl: 'https://qr.example.org/base',
    config: { ...config, production: true },
  });
  const { payload } = await production.inject({ url: '/', headers: LOCAL });
  t.match(payload, 'href="/base/api/docs"');
  t.match(payload, 'href="/base/?lang=de"');
  t.notMatch(payload, /mailbox|href="[^"]*\/s\/|npm run demo|docs\/guides/);
});
