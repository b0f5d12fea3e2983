import { setTimeout as wait } from 'node:timers/promises';
import { repeatConcurrently } from '../../repeat-concurrently.ts';
import { startFlakyReceiver } from './flaky-receiver.ts';

const FAILURE_SHARE = 0.2;
const RECEIVER_DOWN_MS = 300;
const CODE_COUNT = 20;
const POLL_INTERVAL_MS = 100;
const COMPLETION_TIMEOUT_MS = 1_800_000;

/** What would come after minutes and hours of waiting. */
const SKIP_RETRY_DELAYS_SQL = `
  UPDATE webhook_endpoints SET paused_until = NULL WHERE paused_until > now();
  UPDATE webhook_deliveries SET next_attempt_at = now()
  WHERE status = 'PENDING' AND failures > 0 AND next_attempt_at > now() + interval '61 seconds'`;

/** The claims of a killed worker end after a minute. */
const SKIP_LEASES_SQL = `
  UPDATE webhook_endpoints SET claimed_until = now();
  UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'PENDING'`;

export interface WebhookRunSettings {
  base: string;
  token: string;
  events: number;
  receiverKills: number;
  workerKills: number;
  query(text: string): Promise<void>;
  /** Kill the only worker, then call back before the next one starts. */
  replaceWorker(beforeNext: () => Promise<void>): Promise<void>;
  log(text: string): void;
}

export interface WebhookRunResult {
  acknowledged: number;
  lost: number;
  /** Received, but of no acknowledged change. */
  unknown: number;
  repeats: number;
  requests: number;
  createdInSeconds: number;
  seconds: number;
}

/**
 * Scan and change codes, half and half, while an endpoint fails, and it and the worker are killed. Compare what it received
 * with what the service acknowledged.
 */
export async function deliverWhileKilling(settings: WebhookRunSettings): Promise<WebhookRunResult> {
  const { events, receiverKills, workerKills, query, log } = settings;
  const receiver = await startFlakyReceiver(FAILURE_SHARE);
  const expected = new Set<string>();
  const startedAt = performance.now();
  const getSeconds = () => (performance.now() - startedAt) / 1000;
  try {
    const { createEvent } = await prepareEvents(settings, receiver.url);
    let createdInSeconds = 0;
    const creation = repeatConcurrently(events, async (number) => {
      expected.add(await createEvent(number));
    }).then(() => {
      createdInSeconds = getSeconds();
    });
    // Awaited below.
    creation.catch(() => {});
    const kills = [...spread('receiver', receiverKills), ...spread('worker', workerKills)].sort(
      (one, other) => one.share - other.share,
    );
    const deadline = Date.now() + COMPLETION_TIMEOUT_MS;
    while (receiver.accepted.size < events || kills.length > 0) {
      if (Date.now() > deadline) break;
      const [kill] = kills;
      if (kill && receiver.accepted.size >= kill.share * events) {
        kills.shift();
        log(
          `${getSeconds().toFixed(0)} s: ${receiver.accepted.size} of ${events} received, the ${kill.what} is killed`,
        );
        if (kill.what === 'receiver') await receiver.kill(RECEIVER_DOWN_MS);
        else await settings.replaceWorker(() => query(SKIP_LEASES_SQL));
      }
      await query(SKIP_RETRY_DELAYS_SQL);
      await wait(POLL_INTERVAL_MS);
    }
    await creation;
    const subjects = [...receiver.subjects.keys()];
    return {
      acknowledged: expected.size,
      lost: [...expected].filter((subject) => !receiver.subjects.has(subject)).length,
      unknown: subjects.filter((subject) => !expected.has(subject)).length,
      repeats: [...receiver.accepted.values()].reduce((sum, count) => sum + count - 1, 0),
      requests: receiver.requests(),
      createdInSeconds,
      seconds: getSeconds(),
    };
  } finally {
    await receiver.close();
  }
}

function spread(what: 'receiver' | 'worker', count: number) {
  return Array.from({ length: count }, (_, index) => ({ what, share: (index + 1) / (count + 1) }));
}

async function prepareEvents({ base, token }: WebhookRunSettings, url: string) {
  const send = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { id: string; version: number; scan: { id: string } };
  };
  const owner = { authorization: `Bearer ${token}` };
  const codes: string[] = [];
  for (let count = 0; count < CODE_COUNT; count += 1) {
    const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
    codes.push((await send('POST', '/api/qrcodes', code, owner)).id);
  }
  await send('POST', '/api/webhook-endpoints', { url, eventTypes: ['scan.created', 'code.updated'] }, owner);
  return {
    /** Returns its subject. */
    async createEvent(number: number): Promise<string> {
      const id = codes[number % CODE_COUNT] ?? '';
      if (number % 2 === 0) {
        // Each agent is another visitor.
        const agent = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/${number} Safari/604.1`;
        const answer = await send('POST', '/api/scans/public', { qrCodeId: id }, { 'user-agent': agent });
        return answer.scan.id;
      }
      for (;;) {
        try {
          const changed = await send('PATCH', `/api/qrcodes/${id}`, { title: `Rex ${number}` }, owner);
          return `${id} ${changed.version}`;
        } catch (error) {
          // Two changes of one code met.
          if (!(error instanceof Error && error.message.includes('409'))) throw error;
        }
      }
    },
  };
}
