// Send 300 logins at once, five times, to the real service over sockets, while other routes are requested all the
// time: `npm run bench:log-ins`. Exits with 1 if other routes or the rejection of surplus logins take too long.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoginLoadResult } from './log-ins-client.ts';
import { formatTally, formatTimes, getQuantile } from './numbers.ts';
import { readArguments } from './read-arguments.ts';
import { runWithService } from './service-process.ts';

readArguments(import.meta.url);

const MAX_OTHERS_P99_MS = 200;
const MAX_SURPLUS_MS = 50;

process.exitCode = await runWithService({}, async ({ port, requests }) => {
  const client = fork('bench/log-ins-client.ts', [String(port)], { execArgv: ['--import=tsx'] });
  const message = once(client, 'message');
  const exited = once(client, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`The client ended with ${code}.`);
  });
  await Promise.race([message, exited]);
  const result: LoginLoadResult = (await message)[0];
  await exited;

  const rejectedLogins = requests.filter(
    ({ route, status }) => route === 'POST /api/auth/login' && status === 503,
  );
  const surplus = result.rounds.map((round) =>
    round.filter(({ status }) => status === 503).map(({ ms }) => ms),
  );
  for (const [index, round] of result.rounds.entries())
    console.log(
      `round ${index + 1}: ${formatTally(round.map(({ status }) => status))}; surplus ${formatTimes(surplus[index] ?? [])}`,
    );
  console.log(`surplus at the door of the service: ${formatTimes(rejectedLogins.map(({ ms }) => ms))}`);
  console.log(`other routes without logins: ${formatTimes(result.baseline)}`);
  console.log(
    `other routes during logins:  ${formatTimes(result.duringLogins)}; ${formatTally(result.otherStatuses)} over all`,
  );
  const p99 = getQuantile(result.duringLogins, 0.99);
  const slowest = getQuantile(surplus.flat(), 0.99);
  console.log(
    `other routes p99 ${p99.toFixed(0)} ms (goal: under ${MAX_OTHERS_P99_MS}); surplus p99 ${slowest.toFixed(0)} ms (goal: under ${MAX_SURPLUS_MS})`,
  );
  return p99 < MAX_OTHERS_P99_MS && slowest < MAX_SURPLUS_MS ? 0 : 1;
});
