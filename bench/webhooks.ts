// Create 10,000 events, half scans and half changes of codes, for a webhook endpoint that fails 20 % of the requests and is
// killed 10 times, while the worker is killed 5 times: `npm run bench:webhooks` (or `-- <events> <kills of the endpoint>
// <kills of the worker>`). Delays between attempts are skipped. Exits with 1 if an acknowledged event is not received.
import pg from 'pg';
import { readNumberArguments } from './read-arguments.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { runWithService } from './service-process.ts';
import { deliverWhileKilling } from './webhooks/run.ts';
import { startWorkers } from './worker-process.ts';

const [events = 0, receiverKills = 0, workerKills = 0] = readNumberArguments(import.meta.url, 10_000, 10, 5);

const environment = { WORKER: 'separate', BILLING: 'off', RATE_LIMIT_SCALE: '1000000' };

const result = await runWithService(
  environment,
  async (service) => {
    const base = `http://localhost:${service.port}`;
    const pool = new pg.Pool({ connectionString: service.ownerUrl, max: 2 });
    const workers = startWorkers(service, environment, 1);
    try {
      const { token } = await createOwner(base, service.ownerUrl);
      return await deliverWhileKilling({
        base,
        token,
        events,
        receiverKills,
        workerKills,
        query: async (text) => void (await pool.query(text)),
        replaceWorker: workers.replaceOldest,
        log: (text) => process.stderr.write(`${text}\n`),
      });
    } finally {
      await workers.stop();
      await pool.end();
    }
  },
  false,
);
console.log(
  `${result.acknowledged} events acknowledged in ${result.createdInSeconds.toFixed(0)} s, all received after ${result.seconds.toFixed(0)} s`,
);
console.log(
  `${result.lost} lost, ${result.unknown} of no event, ${result.repeats} repeats, ${result.requests} requests`,
);
process.exitCode = result.lost + result.unknown === 0 && result.acknowledged === events ? 0 : 1;
