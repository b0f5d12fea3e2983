import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { startFlakyReceiver } from '../../test/features/webhooks/flaky-receiver.ts';
import { startSmtpSink } from '../../test/providers/mail/smtp-sink.ts';
import { repeatConcurrently } from '../../test/repeat-concurrently.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { alternateSides } from '../measure.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import { type BenchedService, createProcessEnvironment, runWithService } from '../service-process.ts';
import { type OwnerWorld, runWithOwner } from '../worlds/owner-world.ts';

const MAX_ROUNDS = 3;
const POLL_MS = 20;
const TIMEOUT_MS = 600_000;

const WORKER_COUNT = 2;
const MAILS = 1_000;
const EVENTS = 2_000;

/** Compare two workers that send the mails of registrations with a bare mailer of as many connections. */
export const workersBenchmark: OwnBenchmark = {
  world: 'OWN',
  async measure(options) {
    const sink = await startSmtpSink();
    const settings = { WORKER: 'separate', BCRYPT_COST: '4', SMTP_URL: sink.url };
    const mails = options.scale(MAILS);
    const rounds = Math.min(options.rounds, MAX_ROUNDS);
    let round = 0;
    const rates = await runWithCleanUp(sink.close, () =>
      runWithService(settings, (service) =>
        alternateSides({ ...options, rounds }, async (side) => {
          sink.mails.length = 0;
          const count = () => sink.mails.length;
          if (side === 'baseline') return measureArrivals(mails, count, () => sendBareMails(sink.url, mails));
          round += 1;
          await registerUsers(service, round, mails);
          return measureWorkers(service, settings, mails, count);
        }),
      ),
    );
    return [{ row: 'workers', measure: 'mails a second', unit: '/s', ...rates, ratioGoal: null }];
  },
};

/** Compare webhook deliveries of public scans, while these are created, with bare requests to the same receiver. */
export const webhooksBenchmark: OwnBenchmark = {
  world: 'OWN',
  async measure(options) {
    const receiver = await startFlakyReceiver(0);
    const events = options.scale(EVENTS);
    const rounds = Math.min(options.rounds, MAX_ROUNDS);
    const rates = await runWithCleanUp(receiver.close, () =>
      runWithOwner({}, async (world) => {
        await world.post('/api/webhook-endpoints', { url: receiver.url, eventTypes: ['scan.created'] });
        return alternateSides({ ...options, rounds }, (side) => {
          const before = receiver.accepted.size;
          const work =
            side === 'service'
              ? () => createScans(world, events)
              : () => sendBareEvents(receiver.url, events);
          return measureArrivals(events, () => receiver.accepted.size - before, work);
        });
      }),
    );
    return [{ row: 'webhooks', measure: 'deliveries a second', unit: '/s', ...rates, ratioGoal: null }];
  },
};

/** Returns how many arrive in a second, from the first one on. */
async function measureArrivals(
  total: number,
  count: () => number,
  work: () => Promise<void>,
): Promise<number> {
  const working = work();
  // Awaited below.
  working.catch(() => {});
  let firstAt: number | null = null;
  for (const end = Date.now() + TIMEOUT_MS; count() < total; await wait(POLL_MS)) {
    if (count() > 0) firstAt ??= performance.now();
    if (Date.now() > end) throw new Error(`${count()} of ${total} arrived in time.`);
  }
  const seconds = (performance.now() - (firstAt ?? performance.now() - POLL_MS)) / 1000;
  await working;
  return total / seconds;
}

async function measureWorkers(
  { folder }: BenchedService,
  settings: Record<string, string>,
  mails: number,
  count: () => number,
): Promise<number> {
  const workers = Array.from({ length: WORKER_COUNT }, () =>
    spawn(process.execPath, ['dist/commands/worker.js'], {
      env: createProcessEnvironment(folder, settings),
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    }),
  );
  const stop = async () => {
    for (const worker of workers) {
      if (worker.exitCode !== null || worker.signalCode !== null) continue;
      const exited = once(worker, 'exit');
      worker.kill('SIGTERM');
      await exited;
    }
  };
  return runWithCleanUp(stop, () => measureArrivals(mails, count, async () => {}));
}

function registerUsers({ base }: BenchedService, round: number, count: number): Promise<void> {
  return repeatConcurrently(count, async (number) => {
    const email = `user-${round}-${number}@example.org`;
    const response = await fetch(`${base}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'a lighthouse for lost dogs' }),
    });
    await response.arrayBuffer();
    if (response.status !== 201) throw new Error(`A registration was answered with ${response.status}.`);
  });
}

async function sendBareMails(url: string, count: number): Promise<void> {
  const transport = createTransport({ url, pool: true, maxConnections: WORKER_COUNT });
  const text = 'Your code is 123456. '.repeat(50);
  await repeatConcurrently(count, async (number) => {
    await transport.sendMail({
      from: 'a@example.org',
      to: `user-${number}@example.org`,
      subject: 'Code',
      text,
    });
  });
  transport.close();
}

function createScans({ base, qrCodeId }: OwnerWorld, count: number): Promise<void> {
  return repeatConcurrently(count, async (number) => {
    // Each agent is another visitor.
    const agent = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/${number} Safari/604.1`;
    const response = await fetch(`${base}/api/scans/public`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': agent },
      body: JSON.stringify({ qrCodeId }),
    });
    await response.arrayBuffer();
    if (response.status !== 201) throw new Error(`A scan was answered with ${response.status}.`);
  });
}

async function sendBareEvents(url: string, count: number): Promise<void> {
  const sentAt = Date.now();
  await repeatConcurrently(count, async (number) => {
    const id = `${sentAt}-${number}`;
    const body = JSON.stringify({ id, type: 'scan.created', data: { id, notes: 'x'.repeat(500) } });
    await (await fetch(url, { method: 'POST', body })).arrayBuffer();
  });
}
