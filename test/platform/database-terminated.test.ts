import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { openDatabase } from '../../src/platform/database.ts';
import { mapDatabaseError } from '../../src/platform/http/database-errors.ts';
import { cloneDatabase } from '../helper.ts';
import { runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const TERMINATE = Buffer.from('X\0\0\0\x04', 'latin1');
const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** What a server sends before it closes a connection by `pg_terminate_backend`. */
const TERMINATION = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
})();

/** A proxy that can end a connection in the same packet as its next answer. */
async function startTerminatingProxy(t: Test, url: string) {
  const proxy = { url: '', isTerminating: false };
  const target = { host: '127.0.0.1', port: Number(new URL(url).port) };
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream])
      socket.on('error', () => undefined).on('close', () => [client, upstream].map((one) => one.destroy()));
    client.on('data', (bytes) => {
      if (proxy.isTerminating && bytes.equals(TERMINATE)) client.end(TERMINATION);
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      const isAnswer = bytes.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY);
      if (!proxy.isTerminating || !isAnswer) return client.write(bytes);
      proxy.isTerminating = false;
      return client.end(Buffer.concat([bytes, TERMINATION]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  proxy.url = Object.assign(new URL(url), { port: String(port) }).href;
  return proxy;
}

t.test(
  'a connection that the server ends between two users of the pool harms only the second one',
  async (t) => {
    const { application, drop } = await cloneDatabase(t);
    t.teardown(drop);
    const proxy = await startTerminatingProxy(t, application);
    const database = openDatabase({ url: proxy.url, poolSize: 1, onError: () => {} });
    t.teardown(() => database.close());
    const users: Record<string, () => Promise<unknown>> = {
      'a transaction': () => database.transaction((tx) => tx.$queryRaw`SELECT 1`),
      'a statement': () => database.pool.query('SELECT 1'),
      readiness: () => database.readHealth(),
    };
    for (const [title, use] of Object.entries(users)) {
      await use();
      proxy.isTerminating = true;
      // Long enough for the second one to wait for the only connection.
      const occupy = database.pool.query('SELECT pg_sleep(0.3)');
      const [first, second] = await Promise.allSettled([occupy, use()]);
      t.equal(first.status, 'fulfilled');
      t.match(
        second.status === 'rejected' && mapDatabaseError(second.reason),
        { code: 'DATABASE_UNAVAILABLE' },
        title,
      );
    }
    await database.pool.query('SELECT 1');
  },
);

t.test('reports a lost connection, but not one that the server ends while it closes', async (t) => {
  const { application, drop } = await cloneDatabase(t);
  t.teardown(drop);
  const proxy = await startTerminatingProxy(t, application);
  const errors: unknown[] = [];
  const database = openDatabase({ url: proxy.url, poolSize: 1, onError: (error) => errors.push(error) });
  const { rows } = await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await runQuery(application, `SELECT pg_terminate_backend(${rows[0]?.pid})`);
  while (errors.length === 0) await sleep(10);
  t.match(errors, [{ code: '57P01' }]);
  await database.pool.query('SELECT 1');
  proxy.isTerminating = true;
  await database.close();
  await sleep(100);
  t.equal(errors.length, 1);
});
