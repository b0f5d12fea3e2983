import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { findFreePort } from '../src/start/find-free-port.ts';

/** Without LD_PRELOAD: under libfaketime its allocator waits for ever. */
const ENVIRONMENT = { PATH: process.env.PATH };

/** For the `skip` option of a test: false, or the reason. */
export const REDIS_SKIP_REASON =
  spawnSync('redis-server', ['--version'], { env: ENVIRONMENT }).status === 0
    ? false
    : 'there is no program redis-server';

/** A real Redis on loopback without persistence, stopped after the test. */
export interface RedisServer {
  url: string;
  port: number;
  start(): Promise<void>;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  client(): Redis;
}

export async function startRedisServer(t: Test): Promise<RedisServer> {
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const clients: Redis[] = [];
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  t.teardown(async () => {
    for (const client of clients) client.disconnect();
    await kill();
  });
  // Stop it also if the test process is aborted.
  process.once('exit', () => child?.kill('SIGKILL'));

  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    async start() {
      const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      child = spawn('redis-server', [...options, '--dir', '/tmp'], {
        env: ENVIRONMENT,
        stdio: 'ignore',
      });
      const client = server.client();
      while ((await client.ping().catch(() => '')) !== 'PONG') await wait(20);
      client.disconnect();
    },
    async signal(name) {
      if (name === 'SIGKILL') await kill();
      else child?.kill(name);
    },
    client() {
      const client = new Redis(server.url, { retryStrategy: () => 50 });
      client.on('error', () => undefined);
      clients.push(client);
      return client;
    },
  };
  return server;
}
