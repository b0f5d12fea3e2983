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
): Promise<{ posted: WebhookPostResult[]; others: number[]; refused: number }> {
  const posted: Promise<WebhookPostResult>[] = [];
  const others: number[] = [];
  let refused = 0;
  let isOver = false;
  const asking = (async () => {
    const paths = ['/api/health/ready', '/api/docs/errors/NOT_FOUND', '/', '/s/000000000000000000000000'];
    for (let index = 0; !isOver; index++) {
      const begun = performance.now();
      const answer = await fetch(`http://127.0.0.1:${to.service.port}${paths[index % paths.length]}`);
      await answer.arrayBuffer();
      others.push(performance.now() - begun);
      if (answer.status >= 429) refused += 1;
      await wait(OTHER_REQUEST_INTERVAL_MS);
    }
  })();
  const begun = performance.now();
  const total = Math.round((perMinute / 60) * seconds);
  while (posted.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 60_000) * perMinute));
    while (posted.length < due) {
      const sample = samples[posted.length % samples.length];
      if (!sample) throw new Error('There is no event to repeat.');
      const id = `evt_flood${String(posted.length).padStart(8, '0')}`;
      posted.push(to.post({ body: sample.body.replace(sample.id, id) }));
    }
    await wait(TICK_MS);
  }
  const answers = await Promise.all(posted);
  isOver = true;
  await asking;
  return { posted: answers, others, refused };
}
