// Sends 300 log-ins at once, five times, to the real service over sockets, while other routes are asked all the time:
// `npm run bench:log-ins`. Ends with 1 when other routes or the refusal of the surplus take too long.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Seen } from './log-ins-client.ts';
import { quantile, tally, times } from './numbers.ts';
import { withService } from './service-process.ts';
import { wordsOf } from './usage.ts';

wordsOf(import.meta.url);

const OTHERS_P99_MS = 200;
const SURPLUS_MS = 50;

process.exitCode = await withService({}, async ({ port, requests }) => {
  const client = fork('bench/log-ins-client.ts', [String(port)], { execArgv: ['--import=tsx'] });
  const told = once(client, 'message');
  const ended = once(client, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`The client ended with ${code}.`);
  });
  await Promise.race([told, ended]);
  const seen: Seen = (await told)[0];
  await ended;

  const atTheDoor = requests.filter(
    ({ route, status }) => route === 'POST /api/auth/login' && status === 503,
  );
  const surplus = seen.rounds.map((round) =>
    round.filter(({ status }) => status === 503).map(({ ms }) => ms),
  );
  for (const [index, round] of seen.rounds.entries())
    console.log(
      `round ${index + 1}: ${tally(round.map(({ status }) => status))}; surplus ${times(surplus[index] ?? [])}`,
    );
  console.log(`surplus at the door of the service: ${times(atTheDoor.map(({ ms }) => ms))}`);
  console.log(`other routes without log-ins: ${times(seen.before)}`);
  console.log(`other routes during log-ins:  ${times(seen.during)}; ${tally(seen.otherStatuses)} over all`);
  const p99 = quantile(seen.during, 0.99);
  const slowest = quantile(surplus.flat(), 0.99);
  console.log(
    `other routes p99 ${p99.toFixed(0)} ms (goal: under ${OTHERS_P99_MS}); surplus p99 ${slowest.toFixed(0)} ms (goal: under ${SURPLUS_MS})`,
  );
  return p99 < OTHERS_P99_MS && slowest < SURPLUS_MS ? 0 : 1;
});
