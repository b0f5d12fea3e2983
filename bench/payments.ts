// Has people buy, change, fail to pay and leave at the sandbox, and delivers its events to two services: to one in order, to
// the other five times over in an order of chance while its workers are killed. Then the rows of both are the same, field by
// field, everybody was told once of each change, and a comparison with the provider finds nothing. A hundred deliveries of
// one event at a time have one effect; 10,000 events a minute are all answered 200 while other routes are asked; what
// lost events changed is mended: `npm run bench:payments` (or `-- <subscriptions> <kills> <events a minute> <rounds>`). Ends with 1 when
// anything is wrong.
import { cleaned } from './broken-off.ts';
import { quantile, tally, times } from './numbers.ts';
import { type CustomerService, customerService } from './payments/customer-service.ts';
import { byChance, each } from './payments/each.ts';
import { flood } from './payments/flood.ts';
import { countMails } from './payments/mail-server.ts';
import { deliverLives } from './payments/rounds.ts';
import { openShop, type WireEvent } from './payments/shop.ts';
import { withService } from './service-process.ts';
import { numbersOf } from './usage.ts';

const [people = 0, kills = 0, perMinute = 0, rounds = 0] = numbersOf(import.meta.url, 500, 20, 10_000, 3);

/** Mails that a worker has in hand at the most when it is killed. */
const MAILS_AT_ONCE = 4;

/** Seconds of the flood, the share of events that are lost, and the goal of other routes in milliseconds. */
const FLOOD = 60;
const LOST = 0.1;
const GOAL = 250;

const begun = performance.now();
let wrong = 0;

function say(text: string): void {
  process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
}

function check(isRight: boolean, text: string): void {
  if (!isRight) wrong += 1;
  console.log(`${isRight ? '' : 'WRONG: '}${text}`);
}

const shop = await openShop();
const mails = await countMails();
const environment = { WORKER: 'separate', BCRYPT_COST: '4', SMTP_URL: mails.url, ...shop.environment };

/** A service with its workers, for as long as the work lasts. */
const withCustomer = (scale: string, work: (one: CustomerService) => Promise<void>) => {
  const settings = { ...environment, RATE_LIMIT_SCALE: scale };
  return withService(
    settings,
    async (service) => {
      const one = customerService(service, shop, settings);
      await cleaned(
        () => one.close(),
        () => work(one),
      );
    },
    false,
  );
};

await cleaned(
  async () => void (await Promise.all([shop.close(), mails.close()])),
  () => withCustomer('1', (inOrder) => withCustomer('1000', (killed) => measure(inOrder, killed))),
);
process.exitCode = wrong === 0 ? 0 : 1;

async function measure(inOrder: CustomerService, killed: CustomerService): Promise<void> {
  const prices = await shop.prices(await inOrder.offered());
  const buyers = await shop.buyers(people);
  for (const one of [inOrder, killed]) await one.fill(buyers, prices);
  const { statuses, all } = await deliverLives({ shop, buyers, prices, rounds, kills, say }, inOrder, killed);
  await killed.quiet();
  check(
    statuses.every((status) => status === 200),
    `answers to ${statuses.length} deliveries of ${all.length} events: ${tally(statuses)}`,
  );
  await compare(inOrder, killed);
  for (const [name, one] of [
    ['in order', inOrder],
    ['killed', killed],
  ] as const) {
    const { code, text } = await one.command('billing-reconcile', '--dry-run', '--days', '3650');
    check(code === 0, `compared with the provider, ${name}: ${text.trim().split('\n').at(-1)}`);
  }
  await tellings(killed);
  await oneOfMany(inOrder, all);
  await underFlood(inOrder, all);
  say('losing a tenth of the events');
  await shop.live(buyers, prices);
  const kept = (await shop.events()).filter(() => !byChance(LOST));
  await each(kept, async (event) => void (await inOrder.post(event)));
  await inOrder.quiet();
  await mended(inOrder);
}

async function compare(one: CustomerService, other: CustomerService): Promise<void> {
  const [rows, others] = [await one.rows(), await other.rows()];
  const different = [...new Set([...rows.keys(), ...others.keys()])].filter(
    (id) => rows.get(id) !== others.get(id),
  );
  for (const id of different.slice(0, 5)) console.error(`${rows.get(id)}\n${others.get(id)}`);
  check(
    different.length === 0,
    `${rows.size} rows in order, ${others.size} in disorder, ${different.length} of them different`,
  );
}

/** Everybody is told once of each thing: by the key of a notification, and by a mail of one Message-ID. */
async function tellings(one: CustomerService): Promise<void> {
  await one.told();
  const OF_PAYMENTS = "key ~ '^(subscription|invoice):'";
  const told = await one.number(`SELECT count(*) FROM notifications WHERE ${OF_PAYMENTS}`);
  const keys = await one.number(
    `SELECT count(DISTINCT (user_id, key)) FROM notifications WHERE ${OF_PAYMENTS}`,
  );
  check(told > 0 && told === keys, `${told} notifications of payments, ${told - keys} of them told twice`);
  const sent = await one.mailsOf(OF_PAYMENTS);
  const times = sent.map((id) => mails.taken.get(id) ?? 0);
  const lost = times.filter((count) => count === 0).length;
  const repeats = times.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  check(
    new Set(sent).size === sent.length && lost === 0 && repeats <= MAILS_AT_ONCE * kills,
    `${sent.length} mails of them: ${lost} lost, ${repeats} sent again after a kill under the same Message-ID`,
  );
}

async function oneOfMany(one: CustomerService, all: readonly WireEvent[]): Promise<void> {
  const sample = all.findLast(({ type }) => type === 'customer.subscription.updated');
  if (!sample) return check(false, 'no subscription was changed');
  const object = JSON.parse(sample.body).data.object.id;
  const wanted = () =>
    one.number('SELECT coalesce(sum(requested_count), 0) FROM payment_syncs WHERE object_id = $1', object);
  const before = await wanted();
  const body = sample.body.replace(sample.id, 'evt_hundredtimes');
  const answers = await Promise.all(Array.from({ length: 100 }, () => one.post({ body })));
  await one.quiet();
  const stored = await one.number("SELECT count(*) FROM webhook_events WHERE event_id = 'evt_hundredtimes'");
  const effects = (await wanted()) - before;
  check(
    answers.every(({ status }) => status === 200) && stored === 1 && effects === 1,
    `100 deliveries of one event at a time: ${tally(answers.map(({ status }) => status))}, ${stored} stored, ${effects} look`,
  );
}

async function underFlood(one: CustomerService, all: readonly WireEvent[]): Promise<void> {
  say(`${perMinute} events a minute`);
  const { posted, others, refused } = await flood(one, all.slice(-2_000), perMinute, FLOOD);
  check(
    posted.every(({ status }) => status === 200),
    `${posted.length} events in ${FLOOD} s: ${tally(posted.map(({ status }) => status))}, ${times(posted.map(({ ms }) => ms))}`,
  );
  check(
    refused === 0 && quantile(others, 0.99) < GOAL,
    `other routes meanwhile: ${times(others)}, ${refused} refused`,
  );
  await one.quiet();
}

async function mended(one: CustomerService): Promise<void> {
  const words = ['--days', '3650'];
  const first = await one.command('billing-reconcile', ...words);
  check(first.code === 0, `with a tenth of the events lost: ${first.text.trim().split('\n').at(-1)}`);
  const second = await one.command('billing-reconcile', ...words);
  check(
    second.code === 0 && second.text.includes('0 differences'),
    `again: ${second.text.trim().split('\n').at(-1)}`,
  );
}
