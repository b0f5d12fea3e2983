// The client of bench/log-ins.ts, in a process of its own: asks other routes all the time, and from time to time sends
// 300 log-ins at once over connections that are open already. Tells its parent what it saw.
import { setTimeout as wait } from 'node:timers/promises';
import { openConnection, type RawAnswer, rawRequest } from './raw-connection.ts';

// Whoever asked has gone.
process.on('disconnect', () => process.exit());

const LOG_INS = 300;
const ROUNDS = 5;
const BASELINE_MS = 6_000;
/** Requests of other routes begin this often, whether or not those before were answered. */
const EVERY_MS = 10;

export interface Seen {
  /** Milliseconds of other routes, without log-ins and during them. */
  before: number[];
  during: number[];
  otherStatuses: number[];
  rounds: { status: number; ms: number }[][];
}

const port = Number(process.argv[2]);
const others = [
  rawRequest('GET', '/'),
  rawRequest('GET', '/api/qrcodes/kinds'),
  rawRequest('GET', '/api/auth/me'),
  rawRequest('GET', '/api/subscription/all'),
  rawRequest('GET', '/s/0123456789abcdef01234567'),
  rawRequest('POST', '/api/scans/public', { body: { qrCodeId: '0123456789abcdef01234567' } }),
];

const seen: Seen = { before: [], during: [], otherStatuses: [], rounds: [] };
const idle = await openInUse(50);
const forLogIns = await openInUse(LOG_INS);

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
  }, fail);
}, EVERY_MS);

await wait(2_000);
into = seen.before;
await wait(BASELINE_MS);
for (let round = 0; round <= ROUNDS; round++) {
  const requests = forLogIns.map((_, index) =>
    rawRequest('POST', '/api/auth/login', {
      body: { email: `r${round}u${index}@example.org`, password: 'not the password at all' },
    }),
  );
  // The first round warms up.
  into = round === 0 ? undefined : seen.during;
  const answers: RawAnswer[] = await Promise.all(
    forLogIns.map((connection, index) => connection.send(requests[index] ?? Buffer.alloc(0))),
  );
  into = undefined;
  if (round > 0) seen.rounds.push(answers.map(({ status, ms }) => ({ status, ms })));
  await wait(1_000);
}
clearInterval(asking);
process.send?.(seen, () => process.exit(0));

/** Connections that had a request already: one that never had any is closed after five seconds. */
async function openInUse(count: number) {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(port)));
  for (const connection of connections) await connection.send(rawRequest('GET', '/api/health/live'));
  return connections;
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}
