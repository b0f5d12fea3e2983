import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchApp } from '../bench-app.ts';

export interface LiveRequests {
  /**
   * Stop and return the number of requests, of repeated requests (503), the errors, and the longest response in
   * milliseconds.
   */
  stop(): Promise<{ requests: number; busy: number; wrong: string[]; longest: number }>;
}

/**
 * Change codes, read them back, scan them with a position and create new ones, sequentially in each of `workers`. A
 * read must return what was acknowledged as written.
 */
export function startLiveRequests(bench: BenchApp, token: string, workers = 2): LiveRequests {
  const wrong: string[] = [];
  const told = { requests: 0, busy: 0, longest: 0 };
  let stopping = false;
  const all = Array.from({ length: workers }, (_, worker) => work(worker));
  return {
    async stop() {
      stopping = true;
      await Promise.all(all);
      return { ...told, wrong };
    },
  };

  async function ask(
    method: string,
    url: string,
    body?: unknown,
    as?: string,
  ): Promise<Awaited<ReturnType<BenchApp['sendRequest']>>['body']> {
    const begun = performance.now();
    const answer = await bench.sendRequest(method, url, { body, ...(as ? { token: as } : {}) });
    told.requests += 1;
    told.longest = Math.max(told.longest, performance.now() - begun);
    if (answer.status === 503) {
      told.busy += 1;
      await sleep(200);
      return ask(method, url, body, as);
    }
    if (answer.status >= 300) wrong.push(`${method} ${url}: ${answer.status} ${answer.body?.code}`);
    return answer.body;
  }

  async function work(worker: number): Promise<void> {
    const kind = worker % 2 === 0 ? 'PET' : 'MEDICAL';
    const { id } = await ask('POST', '/api/qrcodes', { kind, title: 'Live', data: { name: 'first' } }, token);
    for (let n = 0; !stopping; n += 1) {
      const name = `name ${n}`;
      await ask('PUT', `/api/qrcodes/${id}`, { data: { name } }, token);
      const read = await ask('GET', `/api/qrcodes/${id}`, undefined, token);
      if (read?.data?.name !== name) wrong.push(`${id} was ${name} and is ${read?.data?.name}`);
      const place = { qrCodeId: id, latitude: 52.5, longitude: 13.4 };
      const made = await ask('POST', '/api/scans/geocoded', place);
      const scan = await ask('GET', `/api/scans/${made?.scan?.id}`, undefined, token);
      if (scan?.location?.latitude !== 52.5) wrong.push(`the scan ${made?.scan?.id} has lost its position`);
    }
  }
}
