// Client of bench/log-ins.ts in its own process: requests other routes and sends bursts of 300 logins.
import { setTimeout as wait } from 'node:timers/promises';
import { encodeRawRequest, openRawConnection, type RawAnswer } from './raw-connection.ts';

process.on('disconnect', () => process.exit());

const LOGIN_COUNT = 300;
const ROUND_COUNT = 5;
const BASELINE_MS = 6_000;
const REQUEST_INTERVAL_MS = 10;

export interface LoginLoadResult {
  /** Milliseconds of other routes, without logins and during them. */
  baseline: number[];
  duringLogins: number[];
  otherStatuses: number[];
  rounds: { status: number; ms: number }[][];
}

const port = Number(process.argv[2]);
const others = [
  encodeRawRequest('GET', '/'),
  encodeRawRequest('GET', '/api/qrcodes/kinds'),
  encodeRawRequest('GET', '/api/auth/me'),
  encodeRawRequest('GET', '/api/subscription/all'),
  encodeRawRequest('GET', '/s/0123456789abcdef01234567'),
  encodeRawRequest('POST', '/api/scans/public', { body: { qrCodeId: '0123456789abcdef01234567' } }),
];

const result: LoginLoadResult = { baseline: [], duringLogins: [], otherStatuses: [], rounds: [] };
const idle = await openUsedConnections(50);
const loginConnections = await openUsedConnections(LOGIN_COUNT);

let latencies: number[] | undefined;
let requestCount = 0;
const requestTimer = setInterval(() => {
  const connection = idle.pop();
  const request = others[requestCount++ % others.length];
  if (!connection || !request) return;
  const list = latencies;
  connection.send(request).then((response) => {
    idle.push(connection);
    list?.push(response.ms);
    if (list) result.otherStatuses.push(response.status);
  }, exitWithError);
}, REQUEST_INTERVAL_MS);

await wait(2_000);
latencies = result.baseline;
await wait(BASELINE_MS);
for (let round = 0; round <= ROUND_COUNT; round++) {
  const requests = loginConnections.map((_, index) =>
    encodeRawRequest('POST', '/api/auth/login', {
      body: { email: `r${round}u${index}@example.org`, password: 'not the password at all' },
    }),
  );
  latencies = round === 0 ? undefined : result.duringLogins;
  const responses: RawAnswer[] = await Promise.all(
    loginConnections.map((connection, index) => connection.send(requests[index] ?? Buffer.alloc(0))),
  );
  latencies = undefined;
  if (round > 0) result.rounds.push(responses.map(({ status, ms }) => ({ status, ms })));
  await wait(1_000);
}
clearInterval(requestTimer);
process.send?.(result, () => process.exit(0));

/** Open connections and use each once: the service closes a connection without a request after five seconds. */
async function openUsedConnections(count: number) {
  const connections = await Promise.all(Array.from({ length: count }, () => openRawConnection(port)));
  for (const connection of connections) await connection.send(encodeRawRequest('GET', '/api/health/live'));
  return connections;
}

function exitWithError(error: unknown): void {
  console.error(error);
  process.exit(1);
}
