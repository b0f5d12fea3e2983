import { setTimeout as wait } from 'node:timers/promises';
import { createRedisConnection } from '../../src/platform/redis.ts';
import { REDIS_SKIP_REASON, startRedisServer } from '../redis-server.ts';
import { SILENT_LOG } from '../scratch-folder.ts';
import { startStallingProxy } from '../stalling-proxy.ts';
import { t } from '../tap.ts';

t.test(
  'a subscriber whose server is gone without a word subscribes again',
  { skip: REDIS_SKIP_REASON },
  async (t) => {
    const server = await startRedisServer(t);
    await server.start();
    const proxy = await startStallingProxy(t, { host: '127.0.0.1', port: server.port });
    const url = `redis://127.0.0.1:${proxy.port}/0`;
    const redis = createRedisConnection({ url, log: SILENT_LOG, heartbeatIntervalMs: 100 });
    t.teardown(() => redis.close());
    const messages: string[] = [];
    t.teardown(redis.subscribe('news', (text) => messages.push(text)));
    const publisher = server.client();
    const publishUntilReceived = async (text: string) => {
      while (!messages.includes(text)) {
        await publisher.publish('news', text);
        await wait(20);
      }
    };
    await publishUntilReceived('before');
    proxy.stall();
    await publisher.publish('news', 'meanwhile');
    proxy.resume();
    await publishUntilReceived('after');
    t.notOk(messages.includes('meanwhile'));
  },
);
