import { findFreePort } from '../../../src/start/find-free-port.ts';
import { REDIS_SKIP_REASON, startRedisServer } from '../../redis-server.ts';
import { t } from '../../tap.ts';
import { diagnoseOne } from './doctor-helper.ts';

const diagnose = (REDIS_URL: string) => diagnoseOne('Redis', { REDIS_URL });

t.test('Redis is optional', async (t) => {
  t.match(await diagnoseOne('Redis', {}), { state: 'not configured', found: '' });
});

t.test('a Redis that does not answer is a problem, without its password', async (t) => {
  const port = await findFreePort();
  const result = await diagnose(`redis://me:the-password@127.0.0.1:${port}`);
  t.match(result, { state: 'problem', found: 'fails (ECONNREFUSED)', advice: /REDIS_URL/ });
  t.notMatch(JSON.stringify(result), /the-password/);
});

t.test('finds the state of a Redis', { skip: REDIS_SKIP_REASON }, async (t) => {
  const server = await startRedisServer(t);
  await server.start();
  t.match(await diagnose(server.url), { state: 'ok', found: /^Redis \d+\.\d+.*, no memory limit$/ });
  const client = server.client();
  const keys = await client.keys('*');
  await client.config('SET', 'maxmemory', '100mb');
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  t.match(await diagnose(server.url), {
    state: 'warning',
    found: /, allkeys-lru$/,
    advice: /maxmemory-policy to noeviction/,
  });
  await client.config('SET', 'maxmemory-policy', 'noeviction');
  t.match(await diagnose(server.url), { state: 'ok', found: /, noeviction$/ });
  await client.replicaof('127.0.0.1', server.port + 1);
  t.match(await diagnose(server.url), { state: 'problem', found: /a read-only replica$/ });
  await client.replicaof('NO', 'ONE');
  await client.config('SET', 'requirepass', 'a-password');
  t.match(await diagnose(server.url), { state: 'problem', found: 'fails (NOAUTH)' });
  t.match(await diagnose(server.url.replace('//', '//:another@')), {
    state: 'problem',
    found: 'fails (WRONGPASS)',
  });
  t.match(await diagnose(server.url.replace('//', '//:a-password@')), { state: 'ok' });
  await client.config('SET', 'requirepass', '');
  t.same(await client.keys('*'), keys, 'it writes nothing');
});
