import { etagPlugin } from '../../../src/platform/http/etag.ts';
import { sendRequestId } from '../../../src/platform/http/request-id.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import {
  createSecurityHeadersStep,
  securityHeadersPlugin,
} from '../../../src/platform/http/security-headers.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

async function buildTestServer(t: Parameters<typeof createBareApp>[0]) {
  const app = await createBareApp(t);
  await app.register(etagPlugin);
  await app.register(securityHeadersPlugin, { https: true });
  addRequestSteps(app, sendRequestId, createSecurityHeadersStep({ https: true }));
  let items = [1];
  app.get('/list', { config: { cache: 'revalidate' } }, () => ({ data: items }));
  app.post('/list', { config: { cache: 'revalidate' } }, () => ({ data: items }));
  app.get('/list/secret', { config: { cache: 'revalidate' } }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ data: items }),
  );
  app.get('/list/broken', { config: { cache: 'revalidate' } }, () => {
    throw new Error('no');
  });
  app.get('/one', () => ({ id: 1 }));
  app.get('/page', (_request, reply) =>
    reply.header('content-security-policy', "default-src 'self'").header('cache-control', 'public').send('x'),
  );
  app.get('/framed', (_request, reply) =>
    reply.header('content-security-policy', "default-src 'self'; frame-ancestors 'self';").send('x'),
  );
  const change = () => {
    items = [...items, items.length];
  };
  return { app, change };
}

t.test('a list is private, no-cache with a weak ETag, and 304 without a body while unchanged', async (t) => {
  const { app, change } = await buildTestServer(t);
  const first = await app.inject('/list');
  const tag = String(first.headers.etag);
  t.match(tag, /^W\/"[\w-]{27}"$/);
  t.equal(first.headers['cache-control'], 'private, no-cache');

  const opaque = tag.slice(2);
  for (const header of [tag, opaque, `"x", ${tag}`, `W/"y",${opaque}`, '*']) {
    const again = await app.inject({ url: '/list', headers: { 'if-none-match': header } });
    t.equal(again.statusCode, 304, header);
    t.equal(again.body, '');
    t.equal(again.headers.etag, tag);
    t.equal(again.headers['cache-control'], 'private, no-cache');
    t.notOk('content-type' in again.headers);
  }
  const head = await app.inject({ method: 'HEAD', url: '/list' });
  t.equal(head.headers.etag, tag);
  t.equal(
    (await app.inject({ method: 'HEAD', url: '/list', headers: { 'if-none-match': tag } })).statusCode,
    304,
  );

  t.equal((await app.inject({ url: '/list', headers: { 'if-none-match': '"other"' } })).statusCode, 200);
  change();
  const changed = await app.inject({ url: '/list', headers: { 'if-none-match': tag } });
  t.equal(changed.statusCode, 200);
  t.not(changed.headers.etag, tag);
});

t.test('only successful GET and HEAD responses that may be stored have an ETag', async (t) => {
  const { app } = await buildTestServer(t);
  for (const [method, url] of [
    ['POST', '/list'],
    ['GET', '/list/broken'],
    ['GET', '/list/secret'],
    ['HEAD', '/list/secret'],
    ['GET', '/one'],
  ] as const) {
    const answer = await app.inject({ method, url, headers: { 'if-none-match': '*' } });
    t.notOk('etag' in answer.headers, url);
    t.not(answer.statusCode, 304);
    t.equal(answer.headers['cache-control'], 'no-store', url);
  }
});

t.test('every response has the security headers, including errors and unknown paths', async (t) => {
  const { app } = await buildTestServer(t);
  for (const url of ['/one', '/list/broken', '/nowhere']) {
    const { headers } = await app.inject(url);
    t.match(headers, {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cache-control': 'no-store',
      'x-request-id': /^[0-9a-f-]{36}$/,
    });
  }
  t.equal((await app.inject('/page')).headers['cache-control'], 'public');
});

t.test('every policy of a route forbids plugins, another base address and being framed', async (t) => {
  const { app } = await buildTestServer(t);
  const added = "base-uri 'none'; frame-ancestors 'none'; object-src 'none'";
  const policyOf = async (url: string) => (await app.inject(url)).headers['content-security-policy'];
  t.equal(await policyOf('/page'), `default-src 'self'; ${added}`);
  t.equal(
    await policyOf('/framed'),
    "default-src 'self'; frame-ancestors 'self'; base-uri 'none'; object-src 'none'",
  );
});

t.test('HSTS is sent over https only', async (t) => {
  const app = await createBareApp(t);
  await app.register(securityHeadersPlugin, { https: false });
  addRequestSteps(app, createSecurityHeadersStep({ https: false }));
  app.get('/', () => ({}));
  t.notOk('strict-transport-security' in (await app.inject('/')).headers);
});
