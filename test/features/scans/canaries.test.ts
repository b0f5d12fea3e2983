import { t } from '../../tap.ts';
import { createTokenHeader, startScans } from './helper.ts';

t.test('secrets of a scan are in no log line and no error, and in no table in clear', async (t) => {
  const test = await startScans(t);
  const { call, code, scan, database, log } = test;
  const PLACE = { latitude: 52.5163271, longitude: 13.3777149, accuracy: 17.25 };
  const secrets = [
    '80417325',
    '59913377',
    'canary-penicillin',
    'canary wifi word',
    '52.5163271',
    '13.3777149',
  ];
  const medical = await code({
    kind: 'MEDICAL',
    title: 'Card',
    data: { name: 'Ada', notes: 'canary-penicillin' },
    pin: '80417325',
  });
  const wifi = await code({
    kind: 'WIFI',
    title: 'Home',
    data: { ssid: 'Home', password: 'canary wifi word' },
    pin: '80417325',
  });
  const answers = [];
  const refusals = [];
  for (const id of [medical, wifi]) {
    const headers = { 'idempotency-key': `canary-key-of-${id}` };
    for (let round = 0; round < 2; round++) {
      answers.push(await scan({ qrCodeId: id, pin: '80417325', ...PLACE }, { headers }));
    }
    const scanResponse = await call('POST', '/api/scans/geocoded', { body: { qrCodeId: id, ...PLACE } });
    const url = `/api/scans/public/${scanResponse.body.scan.id}`;
    answers.push(
      await call('POST', `${url}/unlock`, {
        body: { pin: '80417325' },
        headers: createTokenHeader(scanResponse),
      }),
    );
    answers.push(await call('GET', url, { headers: createTokenHeader(scanResponse) }));
    refusals.push(await scan({ qrCodeId: id, pin: '59913377', ...PLACE }));
    refusals.push(
      await scan({ qrCodeId: id, pin: '59913377', latitude: 152.5163271, longitude: 13.3777149 }),
    );
    refusals.push(
      await call('POST', '/api/scans/geocoded?type=80417325', { body: { qrCodeId: id, ...PLACE } }),
    );
    const visit = /value="([^"]+)"/.exec((await call('GET', `/s/${id}`)).text)?.[1];
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    answers.push(await call('POST', `/s/${id}/pin`, { body: `visit=${visit}&pin=80417325`, ...form }));
    refusals.push(await call('POST', `/s/${id}/pin`, { body: `visit=${visit}&pin=59913377`, ...form }));
  }
  t.same(
    answers.map(({ status }) => status),
    [...[201, 201, 200, 200, 200], ...[201, 201, 200, 200, 200]],
  );
  t.ok(
    answers.every(({ text }) => /canary/.test(text)),
    'visible with the PIN',
  );
  t.ok(refusals.every(({ status }) => status >= 400));

  const lines = log.join('\n');
  const stored = await dumpTables();
  t.ok(lines.includes('scans.') || lines.includes('/api/scans/public'), 'there is a log');
  t.ok(stored.includes(medical), 'there are rows');
  for (const secret of [...secrets, answers[0]?.body.scanToken]) {
    t.notOk(lines.includes(secret), `log: ${secret}`);
    t.notOk(stored.includes(secret), `tables: ${secret}`);
    t.notOk(
      refusals.some(({ text }) => text.includes(secret)),
      `errors: ${secret}`,
    );
  }

  /** Dump all rows of all tables as text with their bytes decoded; partitions through their parents. */
  async function dumpTables(): Promise<string> {
    const { rows: tables } = await database.pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'partitions') AND has_table_privilege(schemaname || '.' || tablename, 'SELECT')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await database.pool.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
      for (const row of rows) {
        for (const value of Object.values(row)) {
          texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : (JSON.stringify(value) ?? ''));
        }
      }
    }
    return texts.join('\n');
  }
});

t.test('stores times in UTC, whatever the time zone of the machine', async (t) => {
  const { scan, code, database } = await startScans(t);
  const id = await code();
  const scanResponse = await scan({ qrCodeId: id });
  const { rows } = await database.pool.query(
    `SELECT extract(epoch FROM scan.scanned_at) * 1000 AS at, extract(epoch FROM counts.last_scanned_at) * 1000 AS last,
            visitor.day::text AS day
     FROM scans AS scan JOIN scan_counts AS counts USING (qr_code_id)
     JOIN scan_visitors AS visitor USING (qr_code_id)`,
  );
  const at = Date.parse(scanResponse.body.scan.scannedAt);
  t.same([Number(rows[0].at), Number(rows[0].last)], [at, at]);
  t.equal(rows[0].day, scanResponse.body.scan.scannedAt.slice(0, 10));
  t.equal(Number.parseInt(scanResponse.body.scan.id.slice(0, 8), 16), Math.floor(at / 1000));
});
