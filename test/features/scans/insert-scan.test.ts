import t from 'tap';
import { type NewScan, recordScans } from '../../../src/features/scans/insert-scan.repository.ts';
import { classOf } from '../../../src/features/scans/scan-class.rules.ts';
import { visitorHash } from '../../../src/features/scans/visitor.ts';
import { newId } from '../../../src/shared/ids.ts';
import { atOnce } from '../accounts/helper.ts';
import { countsOf, startScans } from './helper.ts';

t.test('a class has the rule that decided it', async (t) => {
  const facts = { ownerId: 'a', accountId: null, ownPhoneOf: null };
  t.same(classOf(facts), { class: 'HUMAN', rule: 'no-other-rule' });
  t.same(classOf({ ...facts, accountId: 'a' }), { class: 'OWNER', rule: 'owner-account' });
  t.same(classOf({ ...facts, ownPhoneOf: 'a' }), { class: 'OWNER', rule: 'owner-phone' });
  t.same(classOf({ ...facts, accountId: 'b', ownPhoneOf: 'c' }).class, 'HUMAN');
});

t.test('many scans of many codes are one statement, in parallel too', async (t) => {
  const test = await startScans(t);
  const { code, database, owner, services } = test;
  const ids = [await code(), await code(), await code()];
  const at = new Date();
  const visitor = (name: string) => ({ ip: '10.0.0.0', userAgent: name, accountId: null, ownPhoneOf: null });
  const scanOf = (qrCodeId: string, name: string, scannedAt = at): NewScan => ({
    id: newId(scannedAt),
    qrCodeId,
    ownerId: owner.id,
    scannerId: null,
    type: 'public',
    class: name === 'owner' ? 'OWNER' : 'HUMAN',
    classRule: 'test',
    visitorHash: visitorHash(services.vault, visitor(name), qrCodeId, scannedAt),
    position: null,
    city: null,
    region: null,
    country: null,
    ipTruncated: '10.0.0.0',
    userAgent: name,
    unlockedAt: null,
    unlockedVersion: null,
    scannedAt,
  });
  await atOnce(12, (index) => {
    const scans = ids.flatMap((id) => ['a', 'b', 'a', 'owner'].map((name) => scanOf(id, name)));
    // Every other list names the codes the other way round.
    return recordScans(database.client, index % 2 ? scans : scans.reverse());
  });
  for (const id of ids) {
    const { counters, rows } = await countsOf(test, id);
    t.same(counters, { total: 48, humans: 36, unique: 2 });
    t.same(counters, rows);
  }
  await recordScans(database.client, []);
  const [first = ''] = ids;
  const yesterday = new Date(at.getTime() - 24 * 60 * 60 * 1000);
  await recordScans(database.client, [scanOf(first, 'a', yesterday)]);
  const row = await database.client.qrCode.findUniqueOrThrow({ where: { id: first } });
  t.equal(row.uniqueCount, 3n, 'a visitor of another day is another visitor');
  t.equal(row.lastScannedAt?.getTime(), at.getTime(), 'the last scan stays the last');
  await t.rejects(
    recordScans(database.client, [scanOf(first, 'x'), { ...scanOf(first, 'y'), type: 'odd' as 'user' }]),
    'one that cannot be stored takes the statement with it',
  );
  t.equal((await countsOf(test, first)).counters.total, 49);
});
