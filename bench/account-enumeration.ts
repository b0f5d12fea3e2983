// Compare response times for known and unknown email addresses: `npm run bench:addresses`. Sends 500 pairs per route to
// the real service over a socket, in random order, with a low hash cost so that differences stand out. Exits with 1 if
// medians differ by more than 5 %.
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { getQuantile } from './numbers.ts';
import { encodeRawRequest, openRawConnection, type RawConnection } from './raw-connection.ts';
import { readArguments } from './read-arguments.ts';
import { type BenchedService, runWithService } from './service-process.ts';

readArguments(import.meta.url);

const PAIR_COUNT = 500;
const WARM_UP_PAIRS = 50;
const MAX_MEDIAN_DIFFERENCE = 0.05;
const PASSWORD = 'a lighthouse for lost dogs';

const REQUEST_CASES = [
  { name: 'register', known: 'member', fields: { password: PASSWORD } },
  { name: 'login', known: 'member', fields: { password: 'not the password at all' } },
  { name: 'forgot-password', known: 'member', fields: {} },
  { name: 'resend-otp', known: 'waiting', fields: {} },
  { name: 'verify-otp', known: 'waiting', fields: { otp: '000000' } },
] as const;

const COPY_USERS_SQL = `
  INSERT INTO users (id, email, password_hash, status)
  SELECT lpad(to_hex(extract(epoch FROM now())::int), 8, '0') || substr(md5($2 || n), 1, 16), $2 || 'k' || n || '@example.org',
         password_hash, 'VERIFIED'
  FROM users, generate_series(1, $3::int) AS n WHERE email = $1`;
const COPY_REGISTRATIONS_SQL = `
  WITH people AS (
    INSERT INTO users (id, email)
    SELECT lpad(to_hex(extract(epoch FROM now())::int), 8, '0') || substr(md5($2 || n), 1, 16), $2 || 'k' || n || '@example.org'
    FROM generate_series(1, $3::int) AS n RETURNING id)
  INSERT INTO pending_registrations (id, user_id, password_hash, otp_hash, expires_at)
  SELECT substr(people.id, 1, 8) || substr(md5('p' || people.id), 1, 16), people.id, password_hash, otp_hash, now() + interval '1 hour'
  FROM people, (SELECT * FROM pending_registrations LIMIT 1) AS first`;

interface CaseMeasurement {
  known: number[];
  unknown: number[];
  /** Milliseconds of a request to another route directly afterwards. */
  nextAfterKnown: number[];
  nextAfterUnknown: number[];
  statuses: Set<number>;
}

process.exitCode = await runWithService({ BCRYPT_COST: '4', LOG_LEVEL: 'warn' }, async (service) => {
  const connection = await openRawConnection(service.port);
  await insertTestAccounts(service, connection);
  const measurements = new Map<string, CaseMeasurement>(
    REQUEST_CASES.map(({ name }) => [
      name,
      { known: [], unknown: [], nextAfterKnown: [], nextAfterUnknown: [], statuses: new Set() },
    ]),
  );
  for (let pair = 1; pair <= PAIR_COUNT + WARM_UP_PAIRS; pair++) {
    for (const { name, isKnown, request } of shuffle(createRequestPairs(pair)).flatMap(shuffle)) {
      const { status, ms } = await connection.send(request);
      const after = await connection.send(encodeRawRequest('GET', '/'));
      const measurement = measurements.get(name);
      if (pair <= WARM_UP_PAIRS || !measurement) continue;
      measurement.statuses.add(status);
      (isKnown ? measurement.known : measurement.unknown).push(ms);
      (isKnown ? measurement.nextAfterKnown : measurement.nextAfterUnknown).push(after.ms);
    }
    if (pair % 50 === 0)
      console.log(`${pair} of ${PAIR_COUNT + WARM_UP_PAIRS} pairs (the first ${WARM_UP_PAIRS} warm up)`);
  }
  connection.close();
  return reportDifferences(measurements);
});

function createRequestPairs(pair: number) {
  return REQUEST_CASES.map(({ name, fields }) =>
    [true, false].map((isKnown) => {
      const email = `${name}-${isKnown ? 'k' : 'u'}${pair}@example.org`;
      const path = `/api/auth/${name}`;
      return { name, isKnown, request: encodeRawRequest('POST', path, { body: { email, ...fields } }) };
    }),
  );
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, order: randomInt(2 ** 32) }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

function formatConfidenceInterval(known: readonly number[], unknown: readonly number[]): string {
  const resample = (list: readonly number[]) => list.map(() => list[randomInt(list.length)] ?? 0);
  const ratios = Array.from(
    { length: 200 },
    () => getQuantile(resample(known), 0.5) / getQuantile(resample(unknown), 0.5),
  );
  return `${getQuantile(ratios, 0.025).toFixed(3)} to ${getQuantile(ratios, 0.975).toFixed(3)}`;
}

function reportDifferences(measurements: Map<string, CaseMeasurement>): number {
  console.log(
    `\n${''.padEnd(18)}known   unknown   ratio   95 % of samples   (straight after: known   unknown), medians in ms`,
  );
  let failures = 0;
  for (const [name, { known, unknown, nextAfterKnown, nextAfterUnknown, statuses }] of measurements) {
    const [one, other, next, nextOther] = [known, unknown, nextAfterKnown, nextAfterUnknown].map((list) =>
      getQuantile(list, 0.5),
    );
    const ratio = (one ?? 0) / (other ?? 1);
    const isFailed = Math.abs(ratio - 1) > MAX_MEDIAN_DIFFERENCE || statuses.size !== 1;
    if (isFailed) failures++;
    console.log(
      `${name.padEnd(18)}${one?.toFixed(2).padStart(5)}   ${other?.toFixed(2).padStart(7)}   ${ratio.toFixed(3)}   ${formatConfidenceInterval(known, unknown)}   ` +
        `${next?.toFixed(2).padStart(22)}   ${nextOther?.toFixed(2).padStart(7)}   status ${[...statuses].join()}` +
        `${isFailed ? '   APART' : ''}`,
    );
  }
  console.log(
    failures === 0 ? 'All medians are within 5 %.' : `${failures} medians are more than 5 % apart.`,
  );
  return failures === 0 ? 0 : 1;
}

async function insertTestAccounts(service: BenchedService, connection: RawConnection): Promise<void> {
  const member = 'first@example.org';
  const post = (path: string, body: object) => connection.send(encodeRawRequest('POST', path, { body }));
  await post('/api/auth/register', { email: member, password: PASSWORD });
  const otp = await readOtp(service);
  const { status } = await post('/api/auth/verify-otp', { email: member, otp });
  if (status !== 200) throw new Error(`The first account cannot be confirmed: ${status}.`);
  await post('/api/auth/register', { email: 'second@example.org', password: PASSWORD });
  const client = new pg.Client({ connectionString: service.ownerUrl });
  await client.connect();
  for (const { name, known } of REQUEST_CASES) {
    const values = [`${name}-`, PAIR_COUNT + WARM_UP_PAIRS];
    if (known === 'member') await client.query(COPY_USERS_SQL, [member, ...values]);
    else await client.query(COPY_REGISTRATIONS_SQL.replaceAll('$2', '$1').replaceAll('$3', '$2'), values);
  }
  await client.query('VACUUM (ANALYZE)');
  await client.end();
}

async function readOtp({ port }: BenchedService): Promise<string> {
  for (const end = Date.now() + 30_000; Date.now() < end; await wait(100)) {
    const page = await (await fetch(`http://localhost:${port}/api/sandbox/mailbox`)).text();
    const code = /">(\d{6}) /.exec(page)?.[1];
    if (code) return code;
  }
  throw new Error('No mail came within 30 s.');
}
