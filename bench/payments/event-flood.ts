import { setTimeout as wait } from 'node:timers/promises';
import type { PaymentService, WebhookPostResult } from './payment-service.ts';
import type { WireEvent } from './shop.ts';

const TICK_MS = 50;
const OTHER_REQUEST_INTERVAL_MS = 250;

export async function postEventFlood(
  to: PaymentService,
  samples: readonly WireEvent[],
  perMinute: number,
  seconds: number,
): Promise<{ results: WebhookPostResult[]; otherTimes: number[]; failedRequests: number }> {
  const posts: Promise<WebhookPostResult>[] = [];
  const otherTimes: number[] = [];
  let failedRequests = 0;
  let isOver = false;
  const probing = (async () => {
    const paths = ['/api/health/ready', '/api/docs/errors/NOT_FOUND', '/', '/s/000000000000000000000000'];
    for (let index = 0; !isOver; index++) {
      const startedAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${to.service.port}${paths[index % paths.length]}`);
      await response.arrayBuffer();
      otherTimes.push(performance.now() - startedAt);
      if (response.status >= 429) failedRequests += 1;
      await wait(OTHER_REQUEST_INTERVAL_MS);
    }
  })();
  const startedAt = performance.now();
  const total = Math.round((perMinute / 60) * seconds);
  while (posts.length < total) {
    const dueCount = Math.min(total, Math.floor(((performance.now() - startedAt) / 60_000) * perMinute));
    while (posts.length < dueCount) {
      const sample = samples[posts.length % samples.length];
      if (!sample) throw new Error('There is no event to repeat.');
      const id = `evt_flood${String(posts.length).padStart(8, '0')}`;
      posts.push(to.post({ body: sample.body.replace(sample.id, id) }));
    }
    await wait(TICK_MS);
  }
  const results = await Promise.all(posts);
  isOver = true;
  await probing;
  return { results, otherTimes, failedRequests };
}
