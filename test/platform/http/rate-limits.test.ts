import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { jsonBodyPlugin } from '../../../src/platform/http/json-body.ts';
import {
  MAX_STORED_REQUESTS_PER_DAY,
  SHARED_ADDRESS_FACTOR,
} from '../../../src/platform/http/rate-limit-numbers.ts';
import { createPostgresRateLimitStore } from '../../../src/platform/http/rate-limit-stores.ts';
import {
  type RateLimitsOptions,
  type RequestPrincipal,
  rateLimitsPlugin,
} from '../../../src/platform/http/rate-limits.ts';
import { allowUsers, PUBLIC_ACCESS, skipAudit } from '../../../src/platform/route-access.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import { freezeRateWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

const CODE = '0123456789abcdef01234567';
const OTHER = '0123456789abcdef01234568';

t.beforeEach((t) => freezeRateWindow(t));

function identifyByHeader({ headers }: FastifyRequest): RequestPrincipal | null {
  const { account, key } = headers;
  if (typeof account !== 'string') return null;
  return typeof key === 'string'
    ? { type: 'api-key', id: key, accountId: account }
    : { type: 'account', id: account };
}

async function buildTestServer(
  t: Parameters<typeof createBareApp>[0],
  options: Partial<RateLimitsOptions> = {},
) {
  const app = await createBareApp(t);
  await app.register(rateLimitsPlugin, { scale: 1, secret: 'secret', ...options });
  await app.register(jsonBodyPlugin);
  app.post('/login', { config: { rateLimitClass: 'auth' } }, () => ({}));
  app.get('/health', { config: { rateLimitClass: 'none' } }, () => ({}));
  app.get('/list', () => ({}));
  app.post('/scan', { config: { rateLimitClass: 'public-scan' } }, () => ({}));
  app.get('/above/:id', { config: { rateLimitClass: 'none' } }, async (request) => ({
    wait: (await app.consumeUnrecordedPageLimit(request, (request.params as { id: string }).id)) ?? null,
  }));
  app.get('/page/:id', { config: { rateLimitClass: 'page' } }, async (request) => ({
    wait: (await app.consumeCodeRateLimit(request, (request.params as { id: string }).id)) ?? null,
  }));
  return app;
}

t.test('limits logins to 20 per minute and address, with RateLimit headers and Retry-After', async (t) => {
  const app = await buildTestServer(t);
  for (let n = 1; n <= 20; n++) {
    const answer = await app.inject({ method: 'POST', url: '/login' });
    t.equal(answer.statusCode, 200);
    const { 'x-ratelimit-reset': reset } = answer.headers;
    t.match(answer.headers, {
      'ratelimit-policy': '"auth";q=20;w=60',
      ratelimit: `"auth";r=${20 - n};t=${reset}`,
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': String(20 - n),
    });
    t.match(reset, /^\d+$/);
  }
  const over = await app.inject({ method: 'POST', url: '/login' });
  t.match(over.json(), { status: 429, code: 'RATE_LIMITED', type: '/api/docs/errors/RATE_LIMITED' });
  t.equal(over.headers.ratelimit, `"auth";r=0;t=${over.headers['retry-after']}`);
  t.equal(over.headers['x-ratelimit-remaining'], '0');
  t.equal(over.headers['x-ratelimit-reset'], over.headers['retry-after']);
  const seconds = Number(over.headers['retry-after']);
  t.ok(seconds >= 1 && seconds <= 60);
  t.equal((await app.inject('/list')).statusCode, 200, 'another class has its own limit');
  const other = await app.inject({ method: 'POST', url: '/login', remoteAddress: '203.0.113.9' });
  t.equal(other.statusCode, 200, 'another address has its own limit');
});

t.test('counts by account or API key where the operation uses a credential, else by address', async (t) => {
  const app = await buildTestServer(t, { scale: 0.02, identify: identifyByHeader });
  const audit = skipAudit('USER');
  app.get('/own', { config: { access: allowUsers('account:use'), audit } }, () => ({}));
  app.get('/public', { config: { access: PUBLIC_ACCESS, audit } }, () => ({}));
  const countAllowed = async (url: string, headers: Record<string, string>, remoteAddress = '192.0.2.1') => {
    for (let allowed = 0; ; allowed++)
      if ((await app.inject({ url, headers, remoteAddress })).statusCode === 429) return allowed;
  };
  t.equal(await countAllowed('/own', {}), 6, 'without a credential');
  t.equal(await countAllowed('/own', { account: 'ada' }), 6, 'the address is used up, the account is not');
  t.equal(await countAllowed('/own', { account: 'ada' }, '192.0.2.2'), 0, 'the same account elsewhere');
  t.equal(await countAllowed('/own', { account: 'grace' }), 6, 'another account of the address');
  t.equal(await countAllowed('/own', { account: 'ada', key: 'k1' }), 12, 'a key has a limit of its own');
  t.equal(await countAllowed('/own', { account: 'ada', key: 'k2' }), 12);
  t.equal(await countAllowed('/public', { account: 'linus' }), 0, 'a credential evades no public limit');
});

t.test('all keys of an account, and all accounts of an address, have a shared limit', async (t) => {
  const app = await buildTestServer(t, { scale: 1 / 300, identify: identifyByHeader });
  app.get('/own', { config: { access: allowUsers('account:use'), audit: skipAudit('USER') } }, () => ({}));
  const read = async (headers: Record<string, string>, remoteAddress = '192.0.2.1') =>
    (await app.inject({ url: '/own', headers, remoteAddress })).statusCode;
  const statuses: number[] = [];
  for (let key = 0; key < 5; key++)
    for (let n = 0; n < 2; n++) statuses.push(await read({ account: 'ada', key: `k${key}` }, '192.0.2.9'));
  t.equal(statuses.filter((status) => status === 200).length, 8, 'four keys of two each');
  for (let n = 0; n < SHARED_ADDRESS_FACTOR; n++) t.equal(await read({ account: `a${n}` }), 200);
  t.equal(await read({ account: 'one-more' }), 429);
  t.equal(await read({ account: 'one-more' }, '192.0.2.2'), 429, 'it has used up its own limit, too');
  t.equal(await read({ account: 'another' }, '192.0.2.2'), 200);
  for (let n = 0; n < 50; n++)
    t.equal(await read({ account: `b${n}` }, `2001:db8:1:${n.toString(16)}::1`), 200);
});

t.test('300 people of one address read three times a second each', async (t) => {
  const app = await buildTestServer(t, { scale: 0.02, identify: identifyByHeader });
  app.get('/own', { config: { access: allowUsers('account:use'), audit: skipAudit('USER') } }, () => ({}));
  let refused = 0;
  // Of a minute with 180 reads of each, two percent.
  for (let n = 0; n < 300 * 4; n++) {
    const { statusCode } = await app.inject({ url: '/own', headers: { account: `a${n % 300}` } });
    if (statusCode !== 200) refused += 1;
  }
  t.equal(refused, 0);
});

t.test('limits an IPv6 client by its /64 and an IPv4 client by its address, mapped or not', async (t) => {
  const app = await buildTestServer(t, { scale: 0.05 });
  const login = async (remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/login', remoteAddress })).statusCode;
  t.equal(await login('2001:db8:1:2::1'), 200);
  t.equal(await login('2001:db8:1:2:ffff::9'), 429);
  t.equal(await login('2001:db8:1:3::1'), 200);
  t.equal(await login('203.0.113.9'), 200);
  t.equal(await login('203.0.113.10'), 200);
  t.equal(await login('::ffff:203.0.113.9'), 429);
});

t.test('limits an IPv6 /48 to ten times a client, whichever /64 are used', async (t) => {
  const app = await buildTestServer(t, { scale: 0.05 });
  const login = async (remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/login', remoteAddress })).statusCode;
  for (let n = 1; n <= 10; n++) t.equal(await login(`2001:db8:1:${n}::1`), 200);
  t.equal(await login('2001:db8:1:ffff::1'), 429);
  t.equal(await login('2001:db8:2:1::1'), 200, 'another site is not affected');
});

t.test('counts a request whose credential is in its body once, also when the body is invalid', async (t) => {
  const app = await buildTestServer(t, { scale: 0.001 });
  const config = { rateLimitClass: 'refresh', findRateLimitSession: () => null } as const;
  app.post('/refresh', { config }, () => ({}));
  let network = 0;
  const refresh = async (payload: string) => {
    const headers = { 'content-type': 'application/json' };
    const remoteAddress = `2001:db8:1:${network++}::1`;
    return app.inject({ method: 'POST', url: '/refresh', headers, payload, remoteAddress });
  };
  for (let n = 0; n < 5; n++) {
    t.equal((await refresh('{}')).statusCode, 200);
    const invalid = await refresh('{');
    t.equal(invalid.statusCode, 400);
    t.equal(invalid.headers['ratelimit-policy'], '"refresh";q=1;w=60');
  }
  t.match((await refresh('{}')).json(), { status: 429, code: 'RATE_LIMITED' }, 'the site is used up');
  t.match((await refresh('{')).json(), { status: 400, code: 'MALFORMED_BODY' });
});

t.test('limits scans and pages of one code to ten times a client for an IPv6 /48', async (t) => {
  const app = await buildTestServer(t, { scale: 0.1 });
  const remoteAddress = (site: number, network: number) => `2001:db8:${site}:${network.toString(16)}::1`;
  const scan = async (site: number, network: number) =>
    (
      await app.inject({
        method: 'POST',
        url: '/scan',
        payload: { qrCodeId: CODE },
        remoteAddress: remoteAddress(site, network),
      })
    ).statusCode;
  for (let network = 0; network < 30; network++) t.equal(await scan(1, network), 200);
  t.equal(await scan(1, 0xffff), 429);
  t.equal(await scan(2, 1), 200, 'another site is not affected');
  const waitOf = async (path: string, site: number, network: number) =>
    (await app.inject({ url: `${path}/${CODE}`, remoteAddress: remoteAddress(site, network) })).json().wait;
  t.type(await waitOf('/page', 1, 1), 'number');
  for (let network = 0; network < 90; network++) t.equal(await waitOf('/above', 1, network), null);
  t.type(await waitOf('/above', 1, 0xffff), 'number');
});

t.test('limits the pages above the limits of a client over all codes', async (t) => {
  const app = await buildTestServer(t, { scale: 0.1 });
  const waitOf = async (code: number, remoteAddress = '192.0.2.1') =>
    (await app.inject({ url: `/above/${code.toString(16).padStart(24, '0')}`, remoteAddress })).json().wait;
  for (let n = 0; n < 30; n++) t.equal(await waitOf(n), null);
  t.type(await waitOf(31), 'number');
  t.equal(await waitOf(31, '192.0.2.2'), null, 'another client');
});

t.test('limits what a client can leave behind in a day, over all public routes and pages', async (t) => {
  // A store that has counted many of the day before.
  const stored = MAX_STORED_REQUESTS_PER_DAY - 10;
  const query = async (_sql: string, params: unknown[]) => {
    const [keys, hits, ends] = params as [string[], number[], number[]];
    const isOfDay = (index: number) => (ends[index] ?? 0) % DAY_MS === 0;
    return {
      rows: keys.map((key, index) => ({
        key,
        hits: (hits[index] ?? 0) + (isOfDay(index) ? stored : 0),
        ends_at: ends[index],
      })),
    };
  };
  const app = await buildTestServer(t, { stores: [createPostgresRateLimitStore(query)], flushMs: 1 });
  app.post('/write', { config: { access: PUBLIC_ACCESS } }, () => ({}));
  app.post('/submit', { config: { access: PUBLIC_ACCESS, rateLimitClass: 'page' } }, () => ({}));
  app.post('/register', { config: { access: PUBLIC_ACCESS, rateLimitClass: 'auth' } }, () => ({}));
  app.post('/webhook', { config: { access: PUBLIC_ACCESS, rateLimitClass: 'webhook' } }, () => ({}));
  app.get('/show', { config: { access: PUBLIC_ACCESS } }, () => ({}));
  const config = {
    access: PUBLIC_ACCESS,
    rateLimitClass: 'refresh',
    findRateLimitSession: () => 's',
  } as const;
  app.post('/refresh', { config }, () => ({}));
  const call = async (method: 'GET' | 'POST', url: string) => {
    const { statusCode } = await app.inject({ method, url });
    await wait(15);
    return statusCode;
  };
  t.equal(await call('POST', '/write'), 200);
  const statuses = [];
  for (let n = 0; n < 20; n++) statuses.push(await call('POST', n % 2 ? '/write' : '/submit'));
  t.ok(statuses.filter((status) => status === 200).length <= 10);
  t.equal(statuses.at(-1), 429);
  t.equal(await call('GET', '/show'), 200);
  t.equal(await call('POST', '/webhook'), 200);
  t.equal(await call('POST', '/register'), 200, 'logins count apart');
  t.equal(await call('POST', '/refresh'), 200, 'a session is known');
  const page = (await app.inject(`/page/${OTHER}`)).json();
  t.ok(page.wait > 60 || Date.now() % DAY_MS > DAY_MS - 120_000, 'pages are no longer recorded');
});

t.test('clients that exceed a limit leave no further keys, whatever ids and networks they use', async (t) => {
  const keys = new Set<string>();
  const query = async (_sql: string, [sent]: unknown[]) => {
    for (const key of sent as string[]) keys.add(key);
    return { rows: [] };
  };
  const app = await buildTestServer(t, {
    scale: 0.02,
    flushMs: 1,
    stores: [createPostgresRateLimitStore(query)],
  });
  for (let n = 0; n < 40; n++) await app.inject(`/above/${n.toString(16).padStart(24, '0')}`);
  await wait(50);
  t.ok(keys.size <= 7, `six codes and the client, not ${keys.size} keys`);
  keys.clear();
  for (let n = 0; n < 200; n++)
    await app.inject({ url: '/list', remoteAddress: `2001:db8:1:${n.toString(16)}::1` });
  await wait(50);
  t.ok(keys.size <= 61, `sixty clients and the site, not ${keys.size} keys`);
});

t.test('limits unknown paths but not health checks, and applies RATE_LIMIT_SCALE', async (t) => {
  const app = await buildTestServer(t, { scale: 0.1 });
  const statuses: number[] = [];
  for (let n = 0; n < 8; n++) statuses.push((await app.inject(`/guess/${n}`)).statusCode);
  t.same(statuses, [404, 404, 404, 404, 404, 404, 429, 429]);
  for (let n = 0; n < 50; n++) await app.inject('/health');
  const health = await app.inject('/health');
  t.equal(health.statusCode, 200);
  t.notOk('ratelimit' in health.headers);
  const large = await buildTestServer(t, { scale: 1_000 });
  t.equal((await large.inject('/list')).headers['x-ratelimit-limit'], '300000');
});

t.test('keys and accounts do not multiply the limit of a code', async (t) => {
  const app = await buildTestServer(t, { identify: identifyByHeader });
  const config = {
    access: allowUsers('account:use'),
    audit: skipAudit('USER'),
    rateLimitClass: 'public-scan',
  } as const;
  app.post('/own-scan', { config }, () => ({}));
  const countAllowed = async (headers: Record<string, string>, remoteAddress: string) => {
    for (let allowed = 0; ; allowed++) {
      const body = { qrCodeId: CODE };
      const answer = await app.inject({ method: 'POST', url: '/own-scan', headers, remoteAddress, body });
      if (answer.statusCode === 429) return allowed;
    }
  };
  t.equal(await countAllowed({ account: 'ada', key: 'k1' }, '192.0.2.1'), 30);
  t.equal(await countAllowed({ account: 'ada', key: 'k2' }, '192.0.2.2'), 0, 'another key and address');
  t.equal(await countAllowed({ account: 'grace' }, '192.0.2.1'), 0, 'another account of the address');
  t.equal(await countAllowed({ account: 'grace' }, '192.0.2.3'), 29, 'its refused request counts');
});

t.test('limits public scans to 30 per minute, address and code', async (t) => {
  const app = await buildTestServer(t);
  const scan = (qrCodeId: unknown, remoteAddress = '127.0.0.1') =>
    app.inject({ method: 'POST', url: '/scan', payload: { qrCodeId }, remoteAddress });
  for (let n = 0; n < 30; n++) t.equal((await scan(CODE)).statusCode, 200);
  const over = await scan(CODE);
  t.match(over.json(), { status: 429, code: 'RATE_LIMITED' });
  t.match(over.headers, {
    'ratelimit-policy': '"code";q=30;w=60',
    ratelimit: /^"code";r=0;t=\d+$/,
    'retry-after': /^\d+$/,
  });
  t.equal((await scan(OTHER)).statusCode, 200);
  t.equal((await scan(CODE, '203.0.113.9')).statusCode, 200);
  t.equal((await scan({ not: '' })).statusCode, 200, 'an invalid id is left to validation');
  t.type(
    (await app.inject(`/page/${CODE}`)).json().wait,
    'number',
    'a page can check the limit and still respond',
  );
  t.equal((await app.inject(`/page/${OTHER}`)).json().wait, null);
});

t.test('the RateLimit headers match Retry-After when another limit rejects', async (t) => {
  const app = await buildTestServer(t);
  app.get('/pin', () => {
    throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 899.2 });
  });
  app.get('/html', (_request, reply) =>
    reply.code(429).header('retry-after', 7).type('text/html').send('Wait.'),
  );
  app.get('/free', { config: { rateLimitClass: 'none' } }, () => {
    throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 5 });
  });
  const refused = { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0' };
  t.match((await app.inject('/pin')).headers, {
    ...refused,
    ratelimit: '"read";r=0;t=900',
    'x-ratelimit-reset': '900',
    'retry-after': '900',
  });
  t.match((await app.inject('/html')).headers, { ...refused, 'x-ratelimit-reset': '7', 'retry-after': '7' });
  t.match((await app.inject('/list')).headers, { 'x-ratelimit-remaining': '297' }, 'nothing else was drawn');
  const free = await app.inject('/free');
  t.equal(free.headers['retry-after'], '5');
  t.notOk('ratelimit' in free.headers);
});

t.test('enforces limits without failures while the shared store is unavailable', async (t) => {
  const query = async () => {
    throw new Error('away');
  };
  const app = await buildTestServer(t, { stores: [createPostgresRateLimitStore(query)], flushMs: 1 });
  const statuses = new Map<number, number>();
  for (let n = 0; n < 25; n++) {
    const { statusCode } = await app.inject({ method: 'POST', url: '/login' });
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    await wait(2);
  }
  t.same(
    [...statuses],
    [
      [200, 20],
      [429, 5],
    ],
  );
});

t.test('two instances with one store enforce one limit', async (t) => {
  const hits = new Map<string, number>();
  const query = async (_sql: string, params: unknown[]) => {
    const [keys, counts, ends] = params as [string[], number[], number[]];
    const rows = keys.map((key, index) => {
      hits.set(key, (hits.get(key) ?? 0) + (counts[index] ?? 0));
      return { key, hits: hits.get(key), ends_at: ends[index] };
    });
    return { rows };
  };
  const one = await buildTestServer(t, { stores: [createPostgresRateLimitStore(query)], flushMs: 5 });
  const two = await buildTestServer(t, { stores: [createPostgresRateLimitStore(query)], flushMs: 5 });
  let passed = 0;
  for (let n = 0; n < 40; n++) {
    const answer = await (n % 2 === 0 ? one : two).inject({ method: 'POST', url: '/login' });
    if (answer.statusCode === 200) passed++;
    await wait(15);
  }
  t.ok(passed >= 20 && passed <= 24, `${passed} of 40 passed`);
});
