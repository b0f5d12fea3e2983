import { get } from 'node:http';
import type { Readable } from 'node:stream';
import type { Submittable } from 'pg';
import type { Test } from 'tap';
import { createScanExportStream } from '../../../src/features/scans/export-scans.ts';
import type { RequestContext } from '../../../src/platform/request-context.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import { generateAbsentId, PHONE_USER_AGENT } from '../../helper.ts';
import { getPort } from '../../platform/http/helper.ts';
import { t } from '../../tap.ts';
import { waitUntil } from '../audit/helper.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { isProblem, queryDatabase } from '../identity/accounts/helper.ts';
import { BERLIN_POSITION, startScans } from './helper.ts';
import { insertScatteredScans } from './statistics/helper.ts';

type Exported = Record<string, string | number | boolean | null>;

const linesOf = (text: string): Exported[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Scans of a fixed date are older than the smallest package shows, some day. */
async function startScansKeptForever(t: Test) {
  const test = await startScans(t);
  await setPackageLimit(test, 'FREE', { scansKeptDays: null });
  return test;
}

t.test('exports every scan of the owner’s codes with its exact position, newest first', async (t) => {
  const test = await startScans(t);
  const { call, owner, code, scan } = test;
  const token = owner.accessToken;
  const [rex, bag] = [await code(), await code({ title: 'Bag' })];
  const eve = await test.createUser();
  await scan({ qrCodeId: await code({}, eve) });
  const first = await scan({ qrCodeId: rex, ...BERLIN_POSITION });
  const second = await scan({ qrCodeId: bag }, { headers: { 'user-agent': 'curl/8.5.0' } });

  const entries = await captureAuditEntries(test, async () => {
    const answer = await call('GET', '/api/scans/export', { token });
    t.equal(answer.status, 200, answer.text);
    t.match(answer.headers, {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="scans.jsonl"',
      'cache-control': 'no-store',
    });
    const [newest, oldest, ...others] = linesOf(answer.text);
    t.same(others, [], 'no scans of other users’ codes');
    t.match(newest, { id: second.body.scan.id, qrCodeId: bag, class: 'BOT', device: 'bot', latitude: null });
    t.match(oldest, {
      id: first.body.scan.id,
      qrCodeId: rex,
      scannedAt: first.body.scan.scannedAt,
      type: 'public',
      class: 'HUMAN',
      unique: true,
      unlocked: false,
      ...BERLIN_POSITION,
      city: 'Berlin',
      country: 'DE',
      device: 'phone',
      operatingSystem: 'iOS',
      browser: 'Safari',
      userAgent: PHONE_USER_AGENT,
    });
    t.notMatch(answer.text, /visitor|scanner/i);
  });
  t.match(entries, [{ action: 'SCANS_EXPORTED', outcome: 'SUCCESS' }]);
  t.equal(entries.length, 1);
  t.same(await captureAuditEntries(test, () => call('HEAD', '/api/scans/export', { token })), []);

  const csv = await call('GET', '/api/scans/export?format=csv', { token });
  t.match(csv.headers, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="scans.csv"',
  });
  const [head, ...rows] = csv.text.split('\r\n').filter(Boolean);
  t.match(head, /^id,qrCodeId,scannedAt,type,class,classRule,unique,unlocked,latitude,longitude,accuracy,/);
  t.equal(rows.length, 2);
  t.match(
    rows[1],
    `,true,false,${BERLIN_POSITION.latitude},${BERLIN_POSITION.longitude},${BERLIN_POSITION.accuracy},`,
  );

  const none = await test.createUser();
  const empty = await call('GET', '/api/scans/export?format=csv', { token: none.accessToken });
  t.equal(empty.text, `${head}\r\n`, 'only a header without scans');
});

t.test('exports what the filters select, with days in the account’s time zone', async (t) => {
  const test = await startScansKeptForever(t);
  const { call, owner, code, database } = test;
  const token = owner.accessToken;
  await call('PUT', `/api/auth/profile/${owner.id}`, { token, body: { timeZone: 'Asia/Kathmandu' } });
  const [rex, bag] = [await code(), await code()];
  await insertScatteredScans(test, [rex, bag], 200, [
    new Date('2026-03-01T00:00:00Z'),
    new Date('2026-03-04T00:00:00Z'),
  ]);
  await queryDatabase(test, "UPDATE scans SET type = 'guest' WHERE right(id, 1) < '8'");
  const expected = async (where: string) =>
    (
      await database.pool.query(
        `SELECT id FROM scans WHERE account_id = $1 AND ${where} ORDER BY scanned_at DESC, id DESC`,
        [owner.id],
      )
    ).rows.map(({ id }) => id);
  for (const [query, where] of [
    ['', 'true'],
    [`qrCodeId=${bag}`, `qr_code_id = '${bag}'`],
    ['class=HUMAN', "class = 'HUMAN'"],
    ['class=HUMAN&class=BOT', "class IN ('HUMAN', 'BOT')"],
    ['type=guest', "type = 'guest'"],
    [
      'from=2026-03-02&to=2026-03-03',
      "scanned_at >= '2026-03-01T18:15Z' AND scanned_at < '2026-03-02T18:15Z'",
    ],
    ['from=2026-03-02T12:00:00.500Z', "scanned_at >= '2026-03-02T12:00:00.500Z'"],
    ['to=2026-03-02T12:00:00.500Z', "scanned_at < '2026-03-02T12:00:00.500Z'"],
    [
      `qrCodeId=${rex}&class=BOT&to=2026-03-03`,
      `qr_code_id = '${rex}' AND class = 'BOT' AND scanned_at < '2026-03-02T18:15Z'`,
    ],
    ['from=2026-04-01', 'false'],
  ] as const) {
    const answer = await call('GET', `/api/scans/export?${query}`, { token });
    t.equal(answer.status, 200, answer.text);
    t.same(
      linesOf(answer.text).map(({ id }) => id),
      await expected(where),
      query,
    );
  }
});

t.test('exports more scans than a page has, and scans of the same time once each', async (t) => {
  const test = await startScansKeptForever(t);
  const { call, owner, code, database } = test;
  const id = await code();
  const noon = new Date('2026-03-01T12:00:00Z');
  // More scans of one moment than a page has, across the end of a month.
  await insertScatteredScans(test, [id], 5_100, [noon, new Date(noon.getTime() + 1)]);
  await insertScatteredScans(test, [id], 700, [
    new Date(noon.getTime() - 40 * HOUR_MS),
    new Date(noon.getTime() + HOUR_MS),
  ]);
  const { rows } = await database.pool.query('SELECT id FROM scans ORDER BY scanned_at DESC, id DESC');
  for (const format of ['jsonl', 'csv']) {
    const answer = await call('GET', `/api/scans/export?format=${format}`, { token: owner.accessToken });
    const ids = answer.text.match(/(?<=^(?:\{"id":")?)[0-9a-f]{24}(?=[",])/gm);
    t.same(
      ids,
      rows.map((row) => row.id),
      format,
    );
  }
});

t.test('escapes spreadsheet formulas in CSV, and leaves them unchanged in JSON Lines', async (t) => {
  const test = await startScans(t);
  const { call, owner, code, scan } = test;
  const qrCodeId = await code();
  const agents = ['=HYPERLINK("http://evil.example","x")', '+1+1', '-2+3', '@SUM(A1)', 'plain, "quoted"'];
  for (const agent of agents) await scan({ qrCodeId }, { headers: { 'user-agent': agent } });
  const south = { latitude: -33.4489, longitude: -70.6693 };
  await scan({ qrCodeId, ...south });
  const get = async (format: string) =>
    (await call('GET', `/api/scans/export?format=${format}`, { token: owner.accessToken })).text;
  const csv = await get('csv');
  t.notMatch(csv, /(^|,)"?[=+@]/m);
  t.match(csv, `"'=HYPERLINK(""http://evil.example"",""x"")"`);
  for (const agent of ["'+1+1", "'-2+3", "'@SUM(A1)"]) t.match(csv, `,${agent}\r\n`);
  t.match(csv, '"plain, ""quoted"""');
  t.match(csv, `,${south.latitude},${south.longitude},`, 'a negative number stays one');
  const userAgents = linesOf(await get('jsonl')).map(({ userAgent }) => userAgent);
  t.same(userAgents.sort(), [...agents, PHONE_USER_AGENT].sort());
});

t.test('omits and audits an altered position, and exports the rest', async (t) => {
  const test = await startScans(t);
  const { call, owner, code, scan } = test;
  const qrCodeId = await code();
  const alteredScanId = (await scan({ qrCodeId, ...BERLIN_POSITION })).body.scan.id;
  await scan({ qrCodeId, ...BERLIN_POSITION });
  await queryDatabase(
    test,
    'UPDATE scans SET position = set_byte(position, 20, 255 - get_byte(position, 20)) WHERE id = $1',
    alteredScanId,
  );
  const entries = await captureAuditEntries(test, async () => {
    const answer = await call('GET', '/api/scans/export', { token: owner.accessToken });
    t.match(linesOf(answer.text), [
      BERLIN_POSITION,
      { id: alteredScanId, latitude: null, longitude: null, accuracy: null, address: null, city: 'Berlin' },
    ]);
  });
  t.match(entries, [
    { action: 'SCANS_EXPORTED' },
    {
      action: 'DATA_INTEGRITY_FAILED',
      severity: 'CRITICAL',
      outcome: 'FAILURE',
      resourceId: alteredScanId,
      changes: ['scans.position'],
    },
  ]);
});

t.test('an export of another user’s code is 404, and a wrong parameter is 400', async (t) => {
  const test = await startScans(t);
  const { call, owner, code } = test;
  const foreign = await code({}, await test.createUser());
  const token = owner.accessToken;
  const entries = await captureAuditEntries(test, async () => {
    for (const id of [foreign, generateAbsentId()])
      t.ok(isProblem(await call('GET', `/api/scans/export?qrCodeId=${id}`, { token }), 404, 'NOT_FOUND'));
  });
  t.same(
    entries.filter(({ outcome }) => outcome === 'SUCCESS'),
    [],
  );
  for (const query of ['format=xlsx', 'class=ALIEN', 'qrCodeId=1', 'from=yesterday'])
    t.ok(
      isProblem(await call('GET', `/api/scans/export?${query}`, { token }), 400, 'VALIDATION_FAILED'),
      query,
    );
});

t.test('a client that disconnects during an export leaves no connection and causes no error', async (t) => {
  const test = await startScansKeptForever(t);
  const { app, call, owner, code, database, log } = test;
  const id = await code();
  await insertScatteredScans(test, [id], 3_000, [
    new Date('2026-03-01T00:00:00Z'),
    new Date('2026-03-02T00:00:00Z'),
  ]);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const token = owner.accessToken;
  for (const format of ['jsonl', 'csv']) {
    const request = get({
      port: getPort(app),
      host: '127.0.0.1',
      path: `/api/scans/export?format=${format}`,
      headers: { authorization: `Bearer ${token}` },
    });
    request.on('error', () => {});
    await new Promise((first) =>
      request.on('response', (response) => response.on('error', () => {}).once('data', first)),
    );
    request.destroy();
    await waitUntil(() => new Promise((done) => app.server.getConnections((_, count) => done(count === 0))));
    await waitUntil(() => database.pool.idleCount === database.pool.totalCount);
    t.equal((await call('GET', `/api/scans/export?format=${format}`, { token })).status, 200);
  }
  t.same(
    log.filter((line) => JSON.parse(line).level >= 50),
    [],
  );
});

t.test('an export that fails to read is aborted and does not look complete', async (t) => {
  const test = await startScansKeptForever(t);
  const { database, services, owner } = test;
  const id = await test.code();
  await insertScatteredScans(test, [id], 5_100, [
    new Date('2026-03-01T00:00:00Z'),
    new Date('2026-03-02T00:00:00Z'),
  ]);
  for (const format of ['jsonl', 'csv'] as const) {
    let reads = 0;
    const pool = new Proxy(database.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return (query: Submittable) => {
          reads += 1;
          return reads < 2 ? target.query(query) : Promise.reject(new Error('the database is away'));
        };
      },
    });
    const failingDatabase: typeof database = {
      ...database,
      pool,
      read: (work) => work(failingDatabase),
    };
    const failing = { fieldCipher: services.fieldCipher, database: failingDatabase };
    const context = {} as RequestContext;
    await t.rejects(read(createScanExportStream(failing, context, owner.id, {}, { format, bom: false })), {
      message: 'the database is away',
    });
    t.equal(reads, 2);
  }
});

async function read(stream: Readable): Promise<number> {
  let length = 0;
  for await (const chunk of stream) length += chunk.length;
  return length;
}
