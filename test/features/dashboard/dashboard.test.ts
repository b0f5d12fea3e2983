import t from 'tap';
import { newId } from '../../../src/shared/ids.ts';
import { absentId, startApp, type TestApp } from '../../helper.ts';
import { putQrCode } from '../trail.ts';

const HOUR = 60 * 60 * 1000;
const NONE = { total: 0, humans: 0, unique: 0 };

async function putScan(
  { database }: TestApp,
  scan: { qrCodeId: string; ownerId: string; class?: string; visitor?: string; ago?: number; city?: string },
) {
  const scannedAt = new Date(Date.now() - (scan.ago ?? 0));
  const id = newId(scannedAt);
  await database.client.scan.create({
    data: {
      id,
      qrCodeId: scan.qrCodeId,
      ownerId: scan.ownerId,
      type: 'public',
      class: scan.class ?? 'HUMAN',
      classRule: 'test',
      visitorHash: Buffer.from(scan.visitor ?? id),
      city: scan.city ?? null,
      region: scan.city ? 'Berlin' : null,
      country: scan.city ? 'DE' : null,
      ipTruncated: '192.0.2.0',
      userAgent: 'test',
      scannedAt,
    },
  });
  return id;
}

t.test('the cards of a new person are empty, and there before the profile', async (t) => {
  const test = await startApp(t);
  const { call, person, database } = test;
  const { id, accessToken: token } = await person({ profile: false });
  await database.client.notification.deleteMany({ where: { userId: id } });
  const cards = await call('GET', '/api/dashboard/cards', { token });
  t.equal(cards.status, 200, cards.text);
  t.same(cards.body, {
    qrCodes: { total: 0, byStatus: { ACTIVE: 0, PAUSED: 0, LOST: 0, EXPIRED: 0 } },
    scans: { ...NONE, today: NONE, last7Days: NONE },
    lastScan: null,
    notifications: { unread: 0 },
    memoryTags: { total: 0 },
    attention: { total: 0, codes: [] },
  });
  t.equal(cards.headers['cache-control'], 'no-store');
  t.equal((await call('GET', '/api/dashboard/cards')).status, 401);
  t.equal((await call('GET', '/api/dashboard/cards', { token: 'a.b.c' })).status, 401);
});

t.test('the cards count what is the own, and only that', async (t) => {
  const test = await startApp(t);
  const { call, person, database } = test;
  const ada = await person();
  const bob = await person();
  const token = ada.accessToken;
  const ownerId = ada.id;
  const rex = await putQrCode(test, ownerId, { id: absentId(), scanCount: 9, humanCount: 7, uniqueCount: 3 });
  await putQrCode(test, ownerId, { id: absentId(), status: 'PAUSED', scanCount: 1, humanCount: 1 });
  const lost = await putQrCode(test, ownerId, {
    id: absentId(),
    status: 'LOST',
    title: 'Bag',
    kind: 'LUGGAGE',
  });
  const past = new Date(Date.now() - HOUR);
  const expired = await putQrCode(test, ownerId, {
    id: absentId(),
    status: 'PAUSED',
    title: 'Car',
    expiresAt: past,
  });
  await putQrCode(test, ownerId, { id: absentId(), expiresAt: new Date(Date.now() + HOUR) });
  const gone = await putQrCode(test, ownerId, {
    id: absentId(),
    status: 'DELETED',
    deletedAt: past,
    scanCount: 50,
  });
  const foreign = await putQrCode(test, bob.id, { id: absentId(), status: 'LOST', scanCount: 100 });

  await putScan(test, { qrCodeId: rex, ownerId, ago: 30 * 24 * HOUR, visitor: 'old' });
  await putScan(test, { qrCodeId: rex, ownerId, ago: 3 * 24 * HOUR, visitor: 'x' });
  await putScan(test, { qrCodeId: rex, ownerId, ago: 3 * 24 * HOUR, visitor: 'x' });
  await putScan(test, { qrCodeId: rex, ownerId, ago: 3 * 24 * HOUR, class: 'BOT' });
  // In one second, in which ids alone have no order.
  await putScan(test, { qrCodeId: rex, ownerId, ago: 3 });
  await putScan(test, { qrCodeId: rex, ownerId, ago: 2, class: 'OWNER' });
  const last = await putScan(test, { qrCodeId: lost, ownerId, ago: 1, city: 'Berlin' });
  await putScan(test, { qrCodeId: gone, ownerId });
  await putScan(test, { qrCodeId: foreign, ownerId: bob.id });
  await call('POST', '/api/memory-tags', { token, body: { name: 'Minka' } });
  const unread = await database.client.notification.count({ where: { userId: ownerId } });

  const { body, status, text } = await call('GET', '/api/dashboard/cards', { token });
  t.equal(status, 200, text);
  t.same(body.qrCodes, { total: 5, byStatus: { ACTIVE: 2, PAUSED: 1, LOST: 1, EXPIRED: 1 } });
  t.match(body.scans, { total: 10, humans: 8, unique: 3 });
  t.same(body.scans.today, { total: 3, humans: 2, unique: 2 });
  t.same(body.scans.last7Days, { total: 6, humans: 4, unique: 3 });
  t.match(body.lastScan, {
    id: last,
    qrCodeId: lost,
    title: 'Bag',
    class: 'HUMAN',
    city: 'Berlin',
    country: 'DE',
  });
  t.match(body.lastScan.scannedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.same(body.notifications, { unread });
  t.same(body.memoryTags, { total: 1 });
  t.equal(body.attention.total, 2);
  t.same(
    [...body.attention.codes].sort((one: { title: string }, other: { title: string }) =>
      one.title < other.title ? -1 : 1,
    ),
    [
      { id: lost, kind: 'LUGGAGE', title: 'Bag', status: 'LOST' },
      { id: expired, kind: 'PET', title: 'Car', status: 'EXPIRED' },
    ],
  );
});

t.test('today is the day of the account’s time zone', async (t) => {
  const test = await startApp(t);
  const { call, person } = test;
  const { id, accessToken: token } = await person();
  // Of these two zones, 25 hours apart, at least one began its day within the last 13 hours.
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const rex = await putQrCode(test, id, { id: absentId() });
  const ago = 13 * HOUR;
  await putScan(test, { qrCodeId: rex, ownerId: id, ago });
  for (const timeZone of zones) {
    await call('PUT', `/api/auth/profile/${id}`, { token, body: { timeZone } });
    const { body } = await call('GET', '/api/dashboard/cards', { token });
    const day = (moment: number) =>
      new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' }).format(moment);
    t.equal(body.scans.today.total, day(Date.now()) === day(Date.now() - ago) ? 1 : 0, timeZone);
  }
});
