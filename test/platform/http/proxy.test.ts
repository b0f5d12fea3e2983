import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { listenOnFreePort } from './helper.ts';

/** Start a reverse proxy that names its clients as nginx does. */
async function startProxy(t: Test, port: number): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = {
      ...headers,
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-real-ip': '203.0.113.7',
    };
    const options = { host: '127.0.0.1', port, method, path: url, headers: forwarded };
    const sent = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readWarnings(base: string): Promise<unknown> {
  const { warnings = [] } = (await (await fetch(`${base}/api/health/ready`)).json()) as {
    warnings?: string[];
  };
  return warnings;
}

t.test(
  'an instance behind a proxy that it does not trust says so, one that trusts it does not',
  async (t) => {
    const start = async (environment: Record<string, string>) => {
      const { app, log } = await startTestApp(t, environment);
      const port = await listenOnFreePort(app);
      const countWarnings = () => log.filter((line) => /"level":40.*TRUST_PROXY/.test(line)).length;
      return { port, base: `http://127.0.0.1:${port}`, countWarnings };
    };
    const unaware = await start({});
    const aware = await start({ TRUST_PROXY: '127.0.0.1' });
    for (const { base } of [unaware, aware])
      t.same(await readWarnings(base), [], 'no request of a proxy yet');
    for (const { port } of [unaware, aware]) {
      const answer = await fetch(`${await startProxy(t, port)}/api/health/live`);
      t.equal(answer.status, 200);
    }
    t.same(await readWarnings(unaware.base), ['TRUST_PROXY']);
    t.equal(unaware.countWarnings(), 1);
    t.same(await readWarnings(aware.base), []);
    t.equal(aware.countWarnings(), 0);
  },
);
