import fastify from 'fastify';
import type { Test } from 'tap';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import {
  clearBrowserCache,
  createSecurityHeaders,
  createSecurityHeadersStep,
  securityHeadersPlugin,
} from '../../../src/platform/http/security-headers.ts';
import { t } from '../../tap.ts';

async function startApp(t: Test, https = true) {
  const app = fastify();
  t.teardown(() => app.close());
  await app.register(securityHeadersPlugin, { https });
  addRequestSteps(app, createSecurityHeadersStep({ https }));
  app.get('/data', async () => ({}));
  app.get('/page', async (_request, reply) => {
    reply.header('content-security-policy', "default-src 'none'; style-src 'self'");
    return 'page';
  });
  app.get('/kept', async (_request, reply) => reply.header('cache-control', 'max-age=60').send('kept'));
  app.get('/error', async (_request, reply) =>
    reply.code(404).header('cache-control', 'max-age=60').send('error'),
  );
  app.get('/end', async (_request, reply) => {
    clearBrowserCache(reply);
    return {};
  });
  return app;
}

t.test('every answer has the security headers', async (t) => {
  const app = await startApp(t);
  t.match((await app.inject('/data')).headers, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'",
    'permissions-policy': 'camera=()',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'cache-control': 'no-store',
  });
  t.notOk(createSecurityHeaders(false)['strict-transport-security'], 'not over http');
});

t.test('a policy of a page gets the directives that every policy needs', async (t) => {
  const app = await startApp(t);
  t.equal(
    (await app.inject('/page')).headers['content-security-policy'],
    "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'",
  );
});

t.test('an error is never cached, and a cached answer keeps its time', async (t) => {
  const app = await startApp(t);
  t.equal((await app.inject('/kept')).headers['cache-control'], 'max-age=60');
  t.equal((await app.inject('/error')).headers['cache-control'], 'no-store');
});

t.test('the end of a session clears the cache of the browser', async (t) => {
  const app = await startApp(t);
  t.equal((await app.inject('/end')).headers['clear-site-data'], '"cache"');
});
