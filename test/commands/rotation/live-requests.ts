import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../../helper.ts';

export interface LiveRequests {
  /** `busy` counts requests repeated after 503; `maxMs` is the longest response. */
  stop(): Promise<{ requests: number; busy: number; errors: string[]; maxMs: number }>;
}

/** Write, read back, scan and create codes in each worker; a read must return what was acknowledged as written. */
export function startLiveRequests(app: TestApp, token: string, workers = 2): LiveRequests {
  const errors: string[] = [];
  const stats = { requests: 0, busy: 0, maxMs: 0 };
  let stopping = false;
  const all = Array.from({ length: workers }, (_, worker) => work(worker));
  return {
    async stop() {
      stopping = true;
      await Promise.all(all);
      return { ...stats, errors };
    },
  };

  async function ask(
    method: string,
    url: string,
    body?: unknown,
    as?: string,
  ): Promise<Awaited<ReturnType<TestApp['call']>>['body']> {
    const startedAt = performance.now();
    const response = await app.call(method, url, { body, ...(as ? { token: as } : {}) });
    stats.requests += 1;
    stats.maxMs = Math.max(stats.maxMs, performance.now() - startedAt);
    if (response.status === 503) {
      stats.busy += 1;
      await sleep(200);
      return ask(method, url, body, as);
    }
    if (response.status >= 300) errors.push(`${method} ${url}: ${response.status} ${response.body?.code}`);
    return response.body;
  }

  async function work(worker: number): Promise<void> {
    const kind = worker % 2 === 0 ? 'PET' : 'MEDICAL';
    const { id } = await ask('POST', '/api/qrcodes', { kind, title: 'Live', data: { name: 'first' } }, token);
    for (let n = 0; !stopping; n += 1) {
      const name = `name ${n}`;
      await ask('PUT', `/api/qrcodes/${id}`, { data: { name } }, token);
      const current = await ask('GET', `/api/qrcodes/${id}`, undefined, token);
      if (current?.data?.name !== name) errors.push(`${id} was ${name} and is ${current?.data?.name}`);
      const position = { qrCodeId: id, latitude: 52.5, longitude: 13.4 };
      const scanResponse = await ask('POST', '/api/scans/geocoded', position);
      const scan = await ask('GET', `/api/scans/${scanResponse?.scan?.id}`, undefined, token);
      if (scan?.location?.latitude !== 52.5)
        errors.push(`the scan ${scanResponse?.scan?.id} has lost its position`);
    }
  }
}
