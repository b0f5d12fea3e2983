import { insertScans, type NewScanRow } from '../../../src/features/scans/insert-scan.repository.ts';
import { hashScanVisitor, hashScanVisitorOfPreviousDay } from '../../../src/features/scans/visitor.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { runConcurrently } from '../identity/accounts/helper.ts';
import { findCounts, startScans } from './helper.ts';

t.test('inserts many scans of many codes in one statement, also in parallel', async (t) => {
  const test = await startScans(t);
  const { code, database, services } = test;
  const ids = [await code(), await code(), await code()];
  const at = new Date();
  const visitor = (name: string) => ({ ip: '10.0.0.0', userAgent: name });
  const scanOf = (qrCodeId: string, name: string, scannedAt = at): NewScanRow => ({
    id: generateId(scannedAt),
    qrCodeId,
    codeVersion: 1,
    scannerId: null,
    type: 'public',
    class: name === 'owner' ? 'OWNER' : 'HUMAN',
    classRule: 'test',
    visitorHash: hashScanVisitor(services.fieldCipher, visitor(name), qrCodeId, scannedAt),
    previousDayVisitorHash: hashScanVisitorOfPreviousDay(
      services.fieldCipher,
      visitor(name),
      qrCodeId,
      scannedAt,
    ),
    position: null,
    city: null,
    region: null,
    country: null,
    device: 'phone',
    os: 'iOS',
    browser: 'Safari',
    notification: null,
    ipTruncated: '10.0.0.0',
    userAgent: name,
    unlockedAt: null,
    unlockedVersion: null,
    scannedAt,
  });
  await runConcurrently(12, (index) => {
    const scans = ids.flatMap((id) => ['a', 'b', 'a', 'owner'].map((name) => scanOf(id, name)));
    // Every other list has the codes in reverse order.
    return insertScans(database.pool, index % 2 ? scans : scans.reverse());
  });
  for (const id of ids) {
    const { counters, rows } = await findCounts(test, id);
    t.same(counters, { total: 48, humans: 2, unique: 2 });
    t.same(counters, rows);
  }
  await insertScans(database.pool, []);
  const [first = ''] = ids;
  const yesterday = new Date(at.getTime() - DAY_MS);
  await insertScans(database.pool, [scanOf(first, 'a', yesterday)]);
  const row = await database.client.scanCount.findUniqueOrThrow({ where: { qrCodeId: first } });
  t.equal(row.uniques, 3n, 'a visitor of another day is another visitor');
  t.equal(row.lastScannedAt.getTime(), at.getTime(), 'the last scan stays the last');
  const midnight = Math.floor(at.getTime() / DAY_MS) * DAY_MS - DAY_MS;
  const classAfter = async (minutes: number) => {
    const scan = scanOf(first, 'late', new Date(midnight + minutes * 60_000));
    return (await insertScans(database.pool, [scan])).map((stored) => stored.class);
  };
  t.same(await classAfter(-10), ['HUMAN']);
  t.same(await classAfter(10), ['DUPLICATE'], 'midnight does not begin a new visit');
  t.same(await classAfter(25), ['HUMAN'], 'half an hour does');
  t.same(await classAfter(40), ['DUPLICATE']);
  t.same(await classAfter(60), ['HUMAN']);
  await t.rejects(
    insertScans(database.pool, [scanOf(first, 'x'), { ...scanOf(first, 'y'), type: 'odd' as 'user' }]),
    'one invalid scan fails the whole statement',
  );
  t.equal((await findCounts(test, first)).counters.total, 54);
});
