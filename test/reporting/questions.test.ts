import { readFile } from 'node:fs/promises';
import { describeUserAgent } from '../../src/features/scans/describe-agent.ts';
import { insertScans } from '../../src/features/scans/insert-scan.repository.ts';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import { hashScanVisitor } from '../../src/features/scans/visitor.ts';
import { DAY_MS, HOUR_MS } from '../../src/shared/durations.ts';
import { generateId } from '../../src/shared/ids.ts';
import { startScans } from '../features/scans/helper.ts';
import { PHONE_USER_AGENT } from '../helper.ts';
import { t } from '../tap.ts';
import { waitForDay } from '../wait-for-day.ts';
import { createReportingClients, queryTextValues } from './helper.ts';

await waitForDay();
const TODAY = new Date(new Date().setUTCHours(0, 0, 0, 0));

type Class = 'HUMAN' | 'BOT' | 'PREVIEW' | 'DUPLICATE';

interface GeneratedScan {
  at: Date;
  code: string;
  kind: string;
  class: Class;
  isUnique: boolean;
  city: 'Berlin' | 'Paris';
}

const report = await readFile('docs/guides/reports.md', 'utf8');
const questions = [...report.matchAll(/^### (.+)\n[^#]*?```sql\n([\s\S]+?)```/gm)];

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(TODAY.getTime() - days * DAY_MS);
const weekOf = (at: Date) => dayOf(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS));
const monthStart = (monthsAgo: number) =>
  new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() - monthsAgo, 1));
const hourOf = (at: Date) => `${at.toISOString().slice(0, 13).replace('T', ' ')}:00:00+00`;

function sumScans(scans: readonly GeneratedScan[], keyOf: (scan: GeneratedScan) => string[]): string[][] {
  const sums = new Map<string, { key: string[]; counts: [number, number, number] }>();
  for (const scan of scans) {
    const key = keyOf(scan);
    const row = sums.get(key.join('|')) ?? { key, counts: [0, 0, 0] };
    row.counts[0] += 1;
    if (scan.class === 'HUMAN') row.counts[1] += 1;
    if (scan.isUnique) row.counts[2] += 1;
    sums.set(key.join('|'), row);
  }
  return [...sums.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { key, counts }]) => [...key, ...counts.map(String)]);
}

t.test('the queries of the guide answer its questions correctly for the reporting role', async (t) => {
  const test = await startScans(t);
  const { owner: admin, reader } = await createReportingClients(t, test);
  const other = await test.createUser();
  const lapsed = await test.createUser();
  const code = {
    pet: await test.code(),
    luggage: await test.code({ kind: 'LUGGAGE', title: 'Case', data: { name: 'Case' } }),
    medical: await test.code({ kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada' } }, other),
    never: await test.code({}, lapsed),
  };
  await admin.query('UPDATE qr_codes SET created_at = $1', [daysAgo(100)]);

  const scans: GeneratedScan[] = [];
  const add = async (
    codeName: keyof typeof code,
    days: number,
    minutes: number,
    scanClass: Class,
    isUnique = scanClass === 'HUMAN',
  ) => {
    const at = new Date(daysAgo(days).getTime() + minutes * 60_000);
    const kind = { pet: 'PET', luggage: 'LUGGAGE', medical: 'MEDICAL', never: '' }[codeName];
    const city = codeName === 'pet' ? 'Berlin' : 'Paris';
    const visitor = { ip: '10.0.0.0', userAgent: PHONE_USER_AGENT };
    const hashAt = (moment: Date) =>
      hashScanVisitor(test.services.fieldCipher, visitor, code[codeName], moment);
    const [stored] = await insertScans(test.database.pool, [
      {
        id: generateId(at),
        qrCodeId: code[codeName],
        codeVersion: 1,
        scannerId: null,
        type: 'guest',
        class: scanClass === 'DUPLICATE' ? 'HUMAN' : scanClass,
        classRule: 'test',
        visitorHash: hashAt(at),
        previousDayVisitorHash: hashAt(new Date(at.getTime() - DAY_MS)),
        position: null,
        city,
        region: city,
        country: city === 'Berlin' ? 'DE' : 'FR',
        ...describeUserAgent(PHONE_USER_AGENT),
        ipTruncated: visitor.ip,
        userAgent: PHONE_USER_AGENT,
        unlockedAt: null,
        unlockedVersion: null,
        scannedAt: at,
        notification: null,
      },
    ]);
    if (stored?.class !== scanClass) t.fail(`${codeName} ${days}: ${stored?.class} and not ${scanClass}`);
    scans.push({ at, code: code[codeName], kind, class: scanClass, isUnique, city });
  };
  for (let days = 90; days >= 1; days--) {
    if (days % 2 === 0) await add('pet', days, 540, 'HUMAN');
    if (days % 10 === 0) await add('pet', days, 900, 'HUMAN', false);
    if (days <= 20) await add('pet', days, 600, 'BOT');
    if (days % 5 === 0) await add('luggage', days, 660, 'PREVIEW');
    if (days % 7 === 0) await add('medical', days, 720, 'HUMAN');
    if (days % 14 === 0) await add('medical', days, 725, 'DUPLICATE');
    // Every day of the month before last, and once in the last month.
    const at = daysAgo(days);
    if (at >= monthStart(2) && at < monthStart(1)) await add('luggage', days, 780, 'HUMAN');
    if (dayOf(at) === dayOf(monthStart(1))) await add('luggage', days, 780, 'HUMAN');
  }

  const createdAtByUser = {
    [test.owner.id]: daysAgo(50),
    [other.id]: daysAgo(49),
    [lapsed.id]: daysAgo(200),
  };
  for (const [id, at] of Object.entries(createdAtByUser)) {
    await admin.query('UPDATE users SET created_at = $2 WHERE id = $1', [id, at]);
  }
  await admin.query('UPDATE sessions SET created_at = $2, last_used_at = $2 WHERE user_id = $1', [
    lapsed.id,
    new Date(daysAgo(70).getTime() + HOUR_MS),
  ]);
  const entry = async (action: string, outcome: string, at: Date, actor: string, resource?: string) => {
    await admin.query(
      `INSERT INTO audit_entries (id, action, severity, resource_type, resource_id, outcome, operation, request_id, created_at, actor_reference, subject_reference)
       SELECT $1, $2, 'HIGH', 'QRCODE', $3, $4, 'test', 'r', $5, reference, audit_subject('QRCODE', $3)
       FROM audit_actors WHERE user_id = $6`,
      [generateId(at), action, resource ?? null, outcome, at, actor],
    );
  };
  const night = new Date(daysAgo(2).getTime() + 3 * HOUR_MS);
  for (const [minutes, actorId] of [
    [0, other],
    [10, other],
    [59, lapsed],
    [60, lapsed],
  ] as const) {
    await entry('ACCESS_DENIED', 'DENIED', new Date(night.getTime() + minutes * 60_000), actorId.id);
  }
  await entry('ACCESS_DENIED', 'DENIED', daysAgo(8), other.id);
  for (const days of [9, 10]) {
    await entry('BREAK_GLASS_OPENED', 'SUCCESS', daysAgo(days), other.id, code.medical);
    await entry('BREAK_GLASS_QRCODE_READ', 'SUCCESS', daysAgo(days), other.id, code.medical);
    await entry('BREAK_GLASS_QRCODE_READ', 'SUCCESS', daysAgo(days), other.id, code.pet);
  }

  await entry('MEDICAL_DATA_READ', 'SUCCESS', daysAgo(9), lapsed.id, code.medical);
  await entry('MEDICAL_DATA_READ', 'SUCCESS', daysAgo(91), lapsed.id, code.medical);
  const endpointId = generateId();
  await admin.query(
    `INSERT INTO webhook_endpoints (id, account_id, url, secrets, event_types) VALUES ($1, $2, $3, $3, '{*}')`,
    [endpointId, other.id, Buffer.from('encrypted')],
  );
  for (const [status, error] of [
    ['FAILED', 'TIMEOUT'],
    ['PENDING', 'TIMEOUT'],
    ['DELIVERED', null],
  ] as const)
    await admin.query(
      `INSERT INTO webhook_deliveries (account_id, endpoint_id, event_id, event_type, event_data, event_at, status, attempts, next_attempt_at)
       VALUES ($1, $2, $3, 'scan.created', '{}', now(), $4, $5, CASE WHEN $4 = 'PENDING' THEN now() END)`,
      [other.id, endpointId, generateId(), status, JSON.stringify([{ error }])],
    );

  for (const state of ['failed', 'failed', 'completed'])
    await admin.query(
      `INSERT INTO pgboss.job (name, state, started_on, completed_on, output)
       VALUES ('mail', $1::text::pgboss.job_state, now(), now(), '{"name":"RangeError"}')`,
      [state],
    );

  const scansBetween = (from: Date, to: Date) => scans.filter(({ at }) => at >= from && at < to);
  const monday = new Date(`${weekOf(TODAY)}T00:00:00Z`);
  const lastMonth = scansBetween(monthStart(1), monthStart(0));
  const filterByClass = (all: GeneratedScan[], classes: Class[]) =>
    all.filter((scan) => classes.includes(scan.class)).length;
  const breakGlassWeeks = [daysAgo(9), daysAgo(10)].map(weekOf);
  const growth = [daysAgo(200), daysAgo(50), daysAgo(49)].map(weekOf);

  const referenceOf = async (userId: string): Promise<string> =>
    (await admin.query('SELECT reference FROM audit_actors WHERE user_id = $1', [userId])).rows[0].reference;
  const expected: Record<string, string[][]> = {
    'How many scans were there by kind and week?': sumScans(
      scansBetween(new Date(monday.getTime() - 56 * DAY_MS), monday),
      ({ at, kind }) => [weekOf(at), kind],
    ),
    'Which codes were never scanned?': [
      ['LUGGAGE', '1', '0'],
      ['MEDICAL', '1', '0'],
      ['PET', '2', '1'],
    ],
    'Who has lapsed?': [[lapsed.id, dayOf(daysAgo(70)), '1']],
    'When was access denied?': [
      [hourOf(night), '3', '2'],
      [hourOf(new Date(night.getTime() + HOUR_MS)), '1', '1'],
    ],
    'Which cities were the busiest last month?': sumScans(lastMonth, ({ city }) => [
      city === 'Berlin' ? 'Berlin, DE' : 'Paris, FR',
    ]).sort((one, two) => Number(two[1]) - Number(one[1])),
    'What share of scans was by bots?': Array.from({ length: 14 }, (_, index) => daysAgo(14 - index)).map(
      (day) => {
        const all = scansBetween(day, new Date(day.getTime() + DAY_MS));
        const share = (100 * filterByClass(all, ['BOT', 'PREVIEW'])) / all.length;
        return [dayOf(day), String(all.length), share.toFixed(1)];
      },
    ),
    'How often did staff read medical codes?': [...new Set(breakGlassWeeks)]
      .sort()
      .flatMap((week) =>
        ['BREAK_GLASS_OPENED', 'BREAK_GLASS_QRCODE_READ'].map((action) => [
          week,
          action,
          String(breakGlassWeeks.filter((one) => one === week).length),
          '1',
        ]),
      ),
    'Who read medical data of others?': [
      [await referenceOf(lapsed.id), other.id, 'MEDICAL_DATA_READ', '1', dayOf(daysAgo(9))],
    ],
    'Which webhooks fail?': [[other.id, endpointId, 't', 'TIMEOUT', '2']],
    'Which jobs failed?': [['mail', 'RangeError', '2', dayOf(daysAgo(0))]],
    'How do accounts grow?': [...new Set(growth)].map((week) => [
      week,
      String(growth.filter((one) => one === week).length),
      String(growth.filter((one) => one <= week).length),
    ]),
    'Which codes lost their scans?': [
      [
        code.luggage,
        'LUGGAGE',
        String(scansBetween(monthStart(2), monthStart(1)).filter(isUserWith('LUGGAGE')).length),
        '1',
      ],
    ],
    'At which hours do people scan twice?': [9, 10, 11, 12, 13, 15].flatMap((hour) => {
      const all = scansBetween(daysAgo(28), TODAY).filter(({ at }) => at.getUTCHours() === hour);
      return all.length === 0 ? [] : [[`${hour}`, `${filterByClass(all, ['DUPLICATE'])}`, `${all.length}`]];
    }),
  };
  t.same(
    questions.map(([, title]) => title),
    Object.keys(expected),
  );
  const answerAll = async (time: string) => {
    for (const [, title = '', sql = ''] of questions) {
      t.same(await queryTextValues(reader, sql), expected[title], `${title} (${time})`);
    }
  };
  await answerAll('while everything waits to be rolled up');
  await rollUpScanCounts(test.database);
  await answerAll('once it is rolled up');
});

t.test('the queries of the guide find their days and quarter hours by an index', async (t) => {
  const { reader } = await createReportingClients(t, await startScans(t));
  // The tables are small.
  await reader.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  const queries = [...report.matchAll(/```sql\n([\s\S]+?)```/g)].map(([, sql = '']) => sql);
  const planned = queries.filter((sql) =>
    /reporting\.(?:daily_\w*(?:counts|breakdown)|quarter_hour)/.test(sql),
  );
  const scanned = planned.filter(
    (sql) => !/daily_subscription_counts/.test(sql) && /\b(?:day|starts_at) >=/.test(sql),
  );
  t.ok(scanned.length >= 5);
  for (const sql of scanned) {
    const plan = (await queryTextValues(reader, `EXPLAIN ${sql}`)).flat().join('\n');
    t.match(plan, /scan_rollups_(?:day|quarter_hour)_idx on scan_rollups.*\n\s+Index Cond: .*>=/, sql);
  }
});

function isUserWith(kind: string) {
  return (scan: GeneratedScan) => scan.class === 'HUMAN' && scan.kind === kind;
}
