// Measure a regular client while a hostile one keeps 2,000 sockets idle and sends 200 headers and 200 bodies slowly,
// reconnecting whenever the service closes a connection: `npm run bench:connections`. Exits with 1 if the regular
// client waits too long.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { HostileClientResult } from './connections-client.ts';
import { formatTally, formatTimes, getQuantile } from './numbers.ts';
import { encodeRawRequest, openRawConnection } from './raw-connection.ts';
import { readArguments } from './read-arguments.ts';
import { runWithService } from './service-process.ts';

readArguments(import.meta.url);

const IDLE_CONNECTIONS = 2_000;
const SLOW_HEAD_CONNECTIONS = 200;
const SLOW_BODY_CONNECTIONS = 200;
const DURATION_SECONDS = 25;
const GOAL_P99_MS = 250;

process.exitCode = await runWithService({ LOG_LEVEL: 'warn' }, async ({ port }) => {
  const before = await sendRequests(port, 5);
  console.log(`alone:           ${formatTimes(before.ms)}; ${formatTally(before.statuses)}`);
  const client = fork(
    'bench/connections-client.ts',
    [port, IDLE_CONNECTIONS, SLOW_HEAD_CONNECTIONS, SLOW_BODY_CONNECTIONS].map(String),
    {
      execArgv: ['--import=tsx'],
    },
  );
  await wait(2_000);
  const meanwhile = await sendRequests(port, DURATION_SECONDS);
  const message = once(client, 'message');
  client.send('end');
  const hostileResult: HostileClientResult = (await message)[0];
  const formattedStatuses = Object.entries(hostileResult.responses).map(
    ([status, count]) => `${count} × ${status}`,
  );
  console.log(`under the others: ${formatTimes(meanwhile.ms)}; ${formatTally(meanwhile.statuses)}`);
  console.log(
    `the others: ${hostileResult.open} open at the end, ${hostileResult.opened} opened, answered ${formattedStatuses.join(', ')}`,
  );
  const p99 = getQuantile(meanwhile.ms, 0.99);
  const isServed = meanwhile.statuses.every((status) => status === 200);
  console.log(`p99 of the good client ${p99.toFixed(0)} ms (goal: under ${GOAL_P99_MS})`);
  return p99 < GOAL_P99_MS && isServed && hostileResult.open >= IDLE_CONNECTIONS ? 0 : 1;
});

async function sendRequests(port: number, seconds: number): Promise<{ ms: number[]; statuses: number[] }> {
  const ms: number[] = [];
  const statuses: number[] = [];
  const keepAliveConnection = await openRawConnection(port);
  const request = encodeRawRequest('GET', '/');
  for (let index = 0, end = Date.now() + seconds * 1000; Date.now() < end; index++) {
    const startedAt = performance.now();
    const connection = index % 10 === 0 ? await openRawConnection(port) : keepAliveConnection;
    const response = await connection.send(request);
    ms.push(performance.now() - startedAt);
    statuses.push(response.status);
    if (connection !== keepAliveConnection) connection.close();
    await wait(10);
  }
  keepAliveConnection.close();
  return { ms, statuses };
}
