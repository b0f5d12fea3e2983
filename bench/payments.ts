// Let users buy, change, fail to pay and cancel at the payment sandbox, and deliver its events to two services: to one
// in order, to the other five times each in random order while its workers are killed. Then the rows of both must be
// equal, each user must have been notified once of each change, and a reconciliation must find nothing. 100 concurrent
// deliveries of one event must have one effect, 10,000 events a minute must all get a 200 while other routes respond,
// and lost events must be repaired: `npm run bench:payments` (or `-- <subscriptions> <kills> <events a minute>
// <rounds>`). Exits with 1 on any error.

import { formatTally, formatTimes, getQuantile } from './numbers.ts';
import { postEventFlood } from './payments/event-flood.ts';
import { forEachConcurrently, isRandomHit } from './payments/for-each-concurrently.ts';
import { startCountingMailServer } from './payments/mail-server.ts';
import { createPaymentService, type PaymentService } from './payments/payment-service.ts';
import { deliverRounds } from './payments/rounds.ts';
import { createShop, type WireEvent } from './payments/shop.ts';
import { readNumberArguments } from './read-arguments.ts';
import { runWithCleanUp } from './run-with-clean-up.ts';
import { runWithService } from './service-process.ts';

const [userCount = 0, kills = 0, perMinute = 0, rounds = 0] = readNumberArguments(
  import.meta.url,
  500,
  20,
  10_000,
  3,
);

const MAIL_CONCURRENCY = 4;

const FLOOD_SECONDS = 60;
const LOST_EVENT_SHARE = 0.1;
const MAX_OTHERS_P99_MS = 250;

const startedAt = performance.now();
let errorCount = 0;

function printLine(text: string): void {
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
}

function checkResult(isRight: boolean, text: string): void {
  if (!isRight) errorCount += 1;
  console.log(`${isRight ? '' : 'WRONG: '}${text}`);
}

const shop = await createShop();
const mails = await startCountingMailServer();
const environment = { WORKER: 'separate', BCRYPT_COST: '4', SMTP_URL: mails.url, ...shop.environment };

const runWithPaymentService = (scale: string, work: (one: PaymentService) => Promise<void>) => {
  const settings = { ...environment, RATE_LIMIT_SCALE: scale };
  return runWithService(
    settings,
    async (service) => {
      const one = createPaymentService(service, shop, settings);
      await runWithCleanUp(
        () => one.close(),
        () => work(one),
      );
    },
    false,
  );
};

await runWithCleanUp(
  async () => void (await Promise.all([shop.close(), mails.close()])),
  () =>
    runWithPaymentService('1', (orderedService) =>
      runWithPaymentService('1000', (killedService) => measurePayments(orderedService, killedService)),
    ),
);
process.exitCode = errorCount === 0 ? 0 : 1;

async function measurePayments(orderedService: PaymentService, killedService: PaymentService): Promise<void> {
  const prices = await shop.prices(await orderedService.listOfferedPackages());
  const buyers = await shop.buyers(userCount);
  for (const one of [orderedService, killedService]) await one.insertBuyers(buyers, prices);
  const { statuses, all } = await deliverRounds(
    { shop, buyers, prices, rounds, kills, onProgress: printLine },
    orderedService,
    killedService,
  );
  await killedService.waitUntilIdle();
  checkResult(
    statuses.every((status) => status === 200),
    `answers to ${statuses.length} deliveries of ${all.length} events: ${formatTally(statuses)}`,
  );
  await compareServices(orderedService, killedService);
  for (const [name, one] of [
    ['in order', orderedService],
    ['killed', killedService],
  ] as const) {
    const { code, text } = await one.command('billing-reconcile', '--dry-run', '--days', '3650');
    checkResult(code === 0, `compared with the provider, ${name}: ${text.trim().split('\n').at(-1)}`);
  }
  await checkNotificationsSentOnce(killedService);
  await checkDuplicateDeliveries(orderedService, all);
  await checkUnderFlood(orderedService, all);
  printLine('losing a tenth of the events');
  await shop.simulateRound(buyers, prices);
  const delivered = (await shop.events()).filter(() => !isRandomHit(LOST_EVENT_SHARE));
  await forEachConcurrently(delivered, async (event) => void (await orderedService.post(event)));
  await orderedService.waitUntilIdle();
  await checkReconciliation(orderedService);
}

async function compareServices(one: PaymentService, other: PaymentService): Promise<void> {
  const [rows, otherRows] = [await one.rows(), await other.rows()];
  const different = [...new Set([...rows.keys(), ...otherRows.keys()])].filter(
    (id) => rows.get(id) !== otherRows.get(id),
  );
  for (const id of different.slice(0, 5)) console.error(`${rows.get(id)}\n${otherRows.get(id)}`);
  checkResult(
    different.length === 0,
    `${rows.size} rows in order, ${otherRows.size} in disorder, ${different.length} of them different`,
  );
}

async function checkNotificationsSentOnce(one: PaymentService): Promise<void> {
  await one.waitUntilNotified();
  const OF_PAYMENTS = "key ~ '^(subscription|invoice):'";
  const notificationCount = await one.number(`SELECT count(*) FROM notifications WHERE ${OF_PAYMENTS}`);
  const keys = await one.number(
    `SELECT count(DISTINCT (user_id, key)) FROM notifications WHERE ${OF_PAYMENTS}`,
  );
  checkResult(
    notificationCount > 0 && notificationCount === keys,
    `${notificationCount} notifications of payments, ${notificationCount - keys} of them duplicates`,
  );
  const mailIds = await one.listMails(OF_PAYMENTS);
  const times = mailIds.map((id) => mails.taken.get(id) ?? 0);
  const lost = times.filter((count) => count === 0).length;
  const repeats = times.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  checkResult(
    new Set(mailIds).size === mailIds.length && lost === 0 && repeats <= MAIL_CONCURRENCY * kills,
    `${mailIds.length} mails of them: ${lost} lost, ${repeats} sent again after a kill under the same Message-ID`,
  );
}

async function checkDuplicateDeliveries(one: PaymentService, all: readonly WireEvent[]): Promise<void> {
  const sample = all.findLast(({ type }) => type === 'customer.subscription.updated');
  if (!sample) return checkResult(false, 'no subscription was changed');
  const object = JSON.parse(sample.body).data.object.id;
  const listPending = () =>
    one.number('SELECT coalesce(sum(requested_count), 0) FROM payment_syncs WHERE object_id = $1', object);
  const before = await listPending();
  const body = sample.body.replace(sample.id, 'evt_hundredtimes');
  const responses = await Promise.all(Array.from({ length: 100 }, () => one.post({ body })));
  await one.waitUntilIdle();
  const stored = await one.number("SELECT count(*) FROM webhook_events WHERE event_id = 'evt_hundredtimes'");
  const effects = (await listPending()) - before;
  checkResult(
    responses.every(({ status }) => status === 200) && stored === 1 && effects === 1,
    `100 deliveries of one event at a time: ${formatTally(responses.map(({ status }) => status))}, ${stored} stored, ${effects} look`,
  );
}

async function checkUnderFlood(one: PaymentService, all: readonly WireEvent[]): Promise<void> {
  printLine(`${perMinute} events a minute`);
  const {
    results: posted,
    otherTimes: others,
    failedRequests: refused,
  } = await postEventFlood(one, all.slice(-2_000), perMinute, FLOOD_SECONDS);
  checkResult(
    posted.every(({ status }) => status === 200),
    `${posted.length} events in ${FLOOD_SECONDS} s: ${formatTally(posted.map(({ status }) => status))}, ${formatTimes(posted.map(({ ms }) => ms))}`,
  );
  checkResult(
    refused === 0 && getQuantile(others, 0.99) < MAX_OTHERS_P99_MS,
    `other routes meanwhile: ${formatTimes(others)}, ${refused} refused`,
  );
  await one.waitUntilIdle();
}

async function checkReconciliation(one: PaymentService): Promise<void> {
  const args = ['--days', '3650'];
  const first = await one.command('billing-reconcile', ...args);
  checkResult(first.code === 0, `with a tenth of the events lost: ${first.text.trim().split('\n').at(-1)}`);
  const second = await one.command('billing-reconcile', ...args);
  checkResult(
    second.code === 0 && second.text.includes('0 differences'),
    `again: ${second.text.trim().split('\n').at(-1)}`,
  );
}
