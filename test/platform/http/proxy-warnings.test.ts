import { buildApp } from '../../../src/app.ts';
import { isPrivateAddress } from '../../../src/platform/http/proxy-warnings.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

const HEADERS = { 'x-forwarded-for': '203.0.113.7' };

t.test('warns once when a proxy at a private address is not trusted', async (t) => {
  const { app, call, log } = await startTestApp(t);
  const countWarnings = () => log.filter((line) => line.includes('TRUST_PROXY')).length;
  await call('GET', '/api/health/live', { remoteAddress: '10.0.0.1' });
  await call('GET', '/api/health/live', { headers: HEADERS, remoteAddress: '198.51.100.1' });
  t.equal(countWarnings(), 0, 'a client, or a stranger who sends the header');
  t.same(app.listProxyWarnings(), []);
  t.equal((await call('GET', '/api/health/ready')).body.warnings, undefined);
  for (let index = 0; index < 3; index++)
    await call('GET', '/api/health/live', { headers: HEADERS, remoteAddress: '10.0.0.1' });
  t.equal(countWarnings(), 1);
  t.same(app.listProxyWarnings(), ['TRUST_PROXY']);
  t.same((await call('GET', '/api/health/ready')).body.warnings, ['TRUST_PROXY']);
});

t.test('warns of a proxy that only sends other headers', async (t) => {
  const headers: Record<string, string>[] = [
    { 'x-real-ip': '203.0.113.7' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=203.0.113.7' },
    { via: '1.1 proxy' },
    { 'x-azure-clientip': '203.0.113.7' },
    { 'cdn-loop': 'cdn' },
  ];
  for (const sent of headers) {
    const { app, call } = await startTestApp(t);
    await call('GET', '/api/health/live', { headers: sent, remoteAddress: '192.168.1.1' });
    t.same(app.listProxyWarnings(), ['TRUST_PROXY'], Object.keys(sent).join());
  }
});

t.test('warns of a proxy beside the trusted one, and of a trusted one that hides its clients', async (t) => {
  const { app, call, log } = await startTestApp(t, { TRUST_PROXY: '10.0.0.1' });
  for (const address of ['203.0.113.7', '10.0.0.1'])
    await call('GET', '/api/health/live', {
      headers: { ...HEADERS, 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
      remoteAddress: '10.0.0.1',
    });
  t.same(app.listProxyWarnings(), [], 'a trusted proxy that names its client, which can be itself');
  t.notOk(log.some((line) => line.includes('TRUST_PROXY')));
  await call('GET', '/api/health/live', { headers: HEADERS, remoteAddress: '10.0.0.2' });
  t.same(app.listProxyWarnings(), ['TRUST_PROXY'], 'another one');

  const other = await startTestApp(t, { TRUST_PROXY: '10.0.0.1' });
  await other.call('GET', '/api/health/live', {
    headers: { 'x-forwarded-proto': 'https' },
    remoteAddress: '10.0.0.1',
  });
  t.same(other.app.listProxyWarnings(), ['CLIENT_ADDRESS_HEADER'], 'without X-Forwarded-For');
});

t.test('warns once of a trusted proxy that names no readable address', async (t) => {
  const { app, call, log } = await startTestApp(t, { TRUST_PROXY: '10.0.0.1' });
  for (const address of ['203.0.113.7:443', 'unknown', 'unknown'])
    await call('GET', '/api/health/live', {
      headers: { 'x-forwarded-for': address },
      remoteAddress: '10.0.0.1',
    });
  t.same(app.listProxyWarnings(), ['CLIENT_ADDRESS_HEADER']);
  t.equal(log.filter((line) => line.includes('CLIENT_ADDRESS_HEADER')).length, 1);
  t.same((await call('GET', '/api/health/ready')).body.warnings, ['CLIENT_ADDRESS_HEADER']);
});

t.test('tells private addresses from public ones', async (t) => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '::ffff:10.0.0.1',
    'fd00::1',
  ])
    t.ok(isPrivateAddress(address), address);
  for (const address of ['8.8.8.8', '172.32.0.1', '2001:db8::1', '', 'unknown'])
    t.notOk(isPrivateAddress(address), address);
});

t.test('while the process stops, readiness is 503 and other requests are served', async (t) => {
  const { services } = await startTestApp(t);
  const stopping = new AbortController();
  const app = await buildApp(services, false, stopping.signal);
  t.teardown(() => app.close());
  const getStatuses = async () => {
    const paths = ['/api/health/ready', '/api/health/live', '/'];
    const answers = await Promise.all(paths.map((url) => app.inject({ url, headers: { host: 'a' } })));
    return answers.map(({ statusCode }) => statusCode);
  };
  t.same(await getStatuses(), [200, 200, 200]);
  stopping.abort();
  t.same(await getStatuses(), [503, 200, 200]);
  const last = await app.inject({ url: '/api/health/live', headers: { host: 'a' } });
  t.equal(last.headers.connection, 'close');
});
