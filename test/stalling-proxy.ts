import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A TCP proxy that can stop forwarding without closing anything, like a host that is gone without a word. */
export interface StallingProxy {
  port: number;
  connections(): number;
  /** Nothing passes any more on open connections; new ones are accepted and never answered. */
  stall(): void;
  /** New connections pass again; those of before stay silent. */
  resume(): void;
}

export async function startStallingProxy(
  t: Test,
  target: { host: string; port: number },
): Promise<StallingProxy> {
  const pairs = new Set<[Socket, Socket]>();
  const silent = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (isStalled) {
      silent.add(client);
      return;
    }
    const upstream = connect(target);
    upstream.on('error', () => client.destroy());
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    client.on('data', (bytes) => pairs.has(pair) && upstream.write(bytes));
    upstream.on('data', (bytes) => pairs.has(pair) && client.write(bytes));
    client.on('close', () => {
      pairs.delete(pair);
      upstream.destroy();
    });
    upstream.on('close', () => pairs.has(pair) && client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const [client, upstream] of pairs) for (const socket of [client, upstream]) socket.destroy();
    for (const socket of silent) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => pairs.size,
    stall() {
      isStalled = true;
      for (const [client, upstream] of pairs) {
        silent.add(client);
        // The server keeps its end open, with every lock of the transaction.
        silent.add(upstream);
      }
      pairs.clear();
    },
    resume() {
      isStalled = false;
    },
  };
}
