import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { encodeRawRequest, openRawConnection } from '../../test/raw-connection.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { measureScansBeside } from '../load/beside.ts';
import { compareWithLimit, getQuantile } from '../measure.ts';
import { runWithOwner } from '../worlds/owner-world.ts';

const CONCURRENT_LOG_INS = 300;
const BURSTS = 5;
const MAX_REFUSAL_MS = 50;

const IDLE_CONNECTIONS = 2_000;
const SLOW_HEAD_CONNECTIONS = 200;
const SLOW_BODY_CONNECTIONS = 200;
const SLOW_BYTE_INTERVAL_MS = 1_000;
const CROWD_SECONDS = 20;

const PARTIAL_HEAD = 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const PARTIAL_BODY_REQUEST =
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

/** Compare public scans beside bursts of 300 log-ins, most of which are refused, with scans alone. */
export const logInsBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithOwner({}, async (world) => {
      const refusals: number[] = [];
      const { scans } = await measureScansBeside('log-ins', options, world, async () => {
        for (let burst = 0; burst < BURSTS; burst += 1) refusals.push(...(await sendLogIns(world.port)));
      });
      const p99s = refusals.length > 0 ? [getQuantile(refusals, 0.99)] : [];
      const named = { row: 'log-ins', measure: 'p99 of refused log-ins', unit: 'ms' };
      return [scans, compareWithLimit(named, p99s, MAX_REFUSAL_MS)];
    }),
};

/** Returns the milliseconds of the refused ones. */
async function sendLogIns(port: number): Promise<number[]> {
  const connections = await Promise.all(
    Array.from({ length: CONCURRENT_LOG_INS }, async () => {
      const connection = await openRawConnection(port);
      // The service closes a connection without a request after five seconds.
      await connection.send(encodeRawRequest('GET', '/api/health/live'));
      return connection;
    }),
  );
  const answers = await Promise.all(
    connections.map((connection, index) => {
      const body = { email: `user-${index}@example.org`, password: 'not the password at all' };
      return connection.send(encodeRawRequest('POST', '/api/auth/login', { body }));
    }),
  );
  for (const connection of connections) connection.close();
  await wait(1_000);
  return answers.filter(({ status }) => status === 503).map(({ ms }) => ms);
}

/** Compare public scans beside 2,000 idle sockets, 200 slow heads and 200 slow bodies with scans alone. */
export const connectionsBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithOwner({}, async (world) => {
      const once = { ...options, rounds: Math.min(options.rounds, 2) };
      let closed = 0;
      const { scans } = await measureScansBeside('connections', once, world, async () => {
        const crowd = openCrowd(world.port);
        await wait(CROWD_SECONDS * 1_000);
        closed += crowd.close();
      });
      return [{ ...scans, note: `${closed} slow ones closed by the service` }];
    }),
};

/** Open sockets that send nothing or a byte a second, and open each again that the service closes. */
function openCrowd(port: number) {
  const sockets = new Set<Socket>();
  let isOver = false;
  let closed = 0;
  const open = (begin: string, filler: string) => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    const timer = filler ? setInterval(() => socket.write(filler), SLOW_BYTE_INTERVAL_MS) : undefined;
    socket.on('connect', () => socket.write(begin));
    socket.on('error', () => {});
    socket.resume().on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
      if (isOver) return;
      closed += 1;
      open(begin, filler);
    });
  };
  for (let count = 0; count < IDLE_CONNECTIONS; count += 1) open('', '');
  for (let count = 0; count < SLOW_HEAD_CONNECTIONS; count += 1) open(PARTIAL_HEAD, 'x');
  for (let count = 0; count < SLOW_BODY_CONNECTIONS; count += 1) open(PARTIAL_BODY_REQUEST, ' ');
  return {
    /** Returns how many the service has closed. */
    close(): number {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
