import { DAY_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { addSubscription, setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { startScans } from './helper.ts';

const test = await startScans(t);
const { call, database, code, owner } = test;

async function createOldScan(qrCodeId: string, days: number): Promise<string> {
  const { scan } = (await call('POST', '/api/scans/public', { body: { qrCodeId } })).body;
  if (days === 0) return scan.id;
  const scannedAt = new Date(Date.now() - days * DAY_MS);
  const id = generateId(scannedAt);
  const row = await database.client.scan.findFirstOrThrow({ where: { id: scan.id } });
  await database.client.scan.create({ data: { ...row, id, scannedAt } });
  await database.client.scan.deleteMany({ where: { id: scan.id } });
  return id;
}

t.test('lists and exports scans within the retention of the package, and counts them forever', async (t) => {
  const token = owner.accessToken;
  const pet = await code();
  const old = await createOldScan(pet, 3);
  const young = await createOldScan(pet, 0);
  const listed = async (query = '') =>
    (await call('GET', `/api/scans?qrCodeId=${pet}${query}`, { token })).body;
  const ids = async (query = '') => (await listed(query)).data.map(({ id }: { id: string }) => id);
  const exported = async () => (await call('GET', '/api/scans/export?format=jsonl', { token })).text;
  t.same(await ids(), [young, old]);

  await setPackageLimit(test, 'FREE', { scansKeptDays: 2 });
  t.same(await ids(), [young]);
  t.equal((await listed()).pagination.total, 1);
  t.same(await ids('&from=2001-01-01T00:00:00Z'), [young], 'even if older scans are requested');
  t.same(await ids('&cursor='), [young]);
  t.notMatch(await exported(), old);
  t.match(await exported(), young);
  t.equal((await call('GET', `/api/qrcodes/${pet}`, { token })).body.scanCount, 2, 'every scan counts');

  await addSubscription(test, owner.id, 'PERSONAL');
  t.same(await ids(), [young, old], 'a larger package brings them back');
  t.match(await exported(), old);
});
