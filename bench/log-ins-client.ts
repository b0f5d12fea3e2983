// Client of bench/log-ins.ts, in its own process: requests other routes all the time, and now and then sends 300
// log-ins at once over open connections. Sends its measurements to its parent.
import { setTimeout as wait } from 'node:timers/promises';
import { encodeRawRequest, openRawConnection, type RawAnswer } from './raw-connection.ts';

process.on('disconnect', () => process.exit());

const LOGIN_COUNT = 300;
const ROUND_COUNT = 5;
const BASELINE_MS = 6_000;
const REQUEST_INTERVAL_MS = 10;

export interface LoginLoadResult {
  /** Milliseconds of other routes, without log-ins and during them. */
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

const seen: LoginLoadResult = { baseline: [], duringLogins: [], otherStatuses: [], rounds: [] };
const idle = await openUsedConnections(50);
const forLogIns = await openUsedConnections(LOGIN_COUNT);

let into: number[] | undefined;
let asked = 0;
const asking = setInterval(() => {
  const connection = idle.pop();
  const request = others[asked++ % others.length];
  if (!connection || !request) return;
  const list = into;
  connection.send(request).then((answer) => {
    idle.push(connection);
    list?.push(answer.ms);
    if (list) seen.otherStatuses.push(answer.status);
  }, exitWithError);
}, REQUEST_INTERVAL_MS);

await wait(2_000);
into = seen.baseline;
await wait(BASELINE_MS);
for (let round = 0; round <= ROUND_COUNT; round++) {
  const requests = forLogIns.map((_, index) =>
    encodeRawRequest('POST', '/api/auth/login', {
      body: { email: `r${round}u${index}@example.org`, password: 'not the password at all' },
    }),
  );
  into = round === 0 ? undefined : seen.duringLogins;
  const answers: RawAnswer[] = await Promise.all(
    forLogIns.map((connection, index) => connection.send(requests[index] ?? Buffer.alloc(0))),
  );
  into = undefined;
  if (round > 0) seen.rounds.push(answers.map(({ status, ms }) => ({ status, ms })));
  await wait(1_000);
}
clearInterval(asking);
process.send?.(seen, () => process.exit(0));

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
