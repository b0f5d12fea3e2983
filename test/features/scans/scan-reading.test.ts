import { createScanCursorQuery } from '../../../src/features/scans/scan-list.repository.ts';
import { SCAN_SORTS } from '../../../src/features/scans/scan-sort.rules.ts';
import { Prisma } from '../../../src/generated/prisma/client.ts';
import { getStartOfDay } from '../../../src/shared/day-start.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { generateAbsentId, PHONE_USER_AGENT, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { BERLIN_POSITION, createTokenHeader, startScans } from './helper.ts';

const FACTS = ['id', 'kind', 'scannedAt', 'status'];

t.test('the credential decides which fields of a scan are visible', async (t) => {
  const test = await startScans(t);
  const { call, code, owner, database } = test;
  const data = { name: 'Rex', owner: { name: 'Ada', phone: '+49 170 1234567' } };
  const id = await code({ data, pin: '4711' });
  const scanResponse = await call('POST', '/api/scans/geocoded', {
    body: { qrCodeId: id, ...BERLIN_POSITION },
    headers: { 'user-agent': `${PHONE_USER_AGENT} finder` },
  });
  const scanId: string = scanResponse.body.scan.id;
  const eve = await test.createUser();
  const admin = await test.createUser();
  await database.client.user.update({ where: { id: admin.id }, data: { role: 'ADMIN' } });
  const both = [`/api/scans/${scanId}`, `/api/scans/public/${scanId}`];

  await t.test('anyone sees a few facts', async (t) => {
    const wrong = {
      'x-scan-token': scanResponse.body.scanToken.replace(/^./, (first: string) =>
        first === '_' ? '-' : '_',
      ),
    };
    for (const url of both) {
      for (const options of [{}, { token: eve.accessToken }, { token: 'bad.token.x' }, { headers: wrong }]) {
        const trail = await captureAuditEntries(test, async () => {
          const answer = await call('GET', url, options);
          t.equal(answer.status, 200, answer.text);
          t.same(Object.keys(answer.body), FACTS);
          t.match(answer.body, {
            id: scanId,
            kind: 'PET',
            status: 'ACTIVE',
            scannedAt: scanResponse.body.scan.scannedAt,
          });
          t.equal(answer.headers['cache-control'], 'no-store');
        });
        t.same(trail, []);
      }
    }
  });

  await t.test('a guest with the token sees their own scan and what the owner allows', async (t) => {
    for (const url of both) {
      const answer = await call('GET', url, { headers: createTokenHeader(scanResponse) });
      t.same(answer.body.location, scanResponse.body.scan.location);
      t.match(answer.body, { qrCodeId: id, type: 'guest', pinRequired: true, contactable: true });
      t.same(answer.body.profile, { name: 'Rex' });
      for (const hidden of ['127.0.0.0', ' finder', owner.email, '1234567', 'HUMAN']) {
        t.notMatch(answer.text, hidden);
      }
    }
    const other = await call('POST', '/api/scans/public', { body: { qrCodeId: id } });
    const crossed = await call('GET', both[0] ?? '', { headers: createTokenHeader(other) });
    t.same(Object.keys(crossed.body), FACTS, 'the token of another scan');
  });

  await t.test('the owner sees everything, an administrator everything but the exact position', async (t) => {
    for (const url of both) {
      const own = await call('GET', url, { token: owner.accessToken });
      t.same(own.body.location, scanResponse.body.scan.location);
      const stored = {
        class: 'HUMAN',
        classRule: 'no-other-rule',
        ip: '127.0.0.0',
        userAgent: `${PHONE_USER_AGENT} finder`,
      };
      t.match(own.body, { qrCodeId: id, type: 'guest', unlocked: false, ...stored });
      const trail = await captureAuditEntries(test, async () => {
        const view = await call('GET', url, { token: admin.accessToken });
        t.match(view.body, { qrCodeId: id, ...stored });
        const { city, region, country } = scanResponse.body.scan.location;
        const none = { latitude: null, longitude: null, accuracy: null, address: null };
        t.same(view.body.location, { ...none, city, region, country });
      });
      t.match(trail, [{ action: 'ADMIN_SCAN_READ', severity: 'HIGH', resourceId: scanId }]);
    }
  });

  await t.test('absent and malformed ids are 404', async (t) => {
    for (const path of ['/api/scans', '/api/scans/public']) {
      for (const absent of [generateAbsentId(), 'x', scanId.toUpperCase()]) {
        t.equal((await call('GET', `${path}/${absent}`)).status, 404);
      }
    }
  });

  await t.test('shows no content of a paused or deleted code', async (t) => {
    const token = owner.accessToken;
    await call('PATCH', `/api/qrcodes/${id}`, { token, body: { status: 'PAUSED' } });
    const paused = await call('GET', both[0] ?? '', { headers: createTokenHeader(scanResponse) });
    t.match(paused.body, { status: 'PAUSED', profile: null });
    await call('DELETE', `/api/qrcodes/${id}`, { token });
    const deleted = await call('GET', both[1] ?? '', { headers: createTokenHeader(scanResponse) });
    t.match(deleted.body, { status: 'DELETED', profile: null });
    t.equal((await call('GET', both[0] ?? '', { token })).status, 200, 'its scans stay for the owner');
  });

  await t.test('a token expires after seven days', async (t) => {
    const late = await call('POST', '/api/scans/public', { body: { qrCodeId: await code({ pin: '4711' }) } });
    const eightDaysAgo = new Date(Date.parse(late.body.scan.scannedAt) - 8 * DAY_MS);
    await database.client.scan.update({
      where: { id: late.body.scan.id },
      data: { scannedAt: eightDaysAgo },
    });
    const { deriveScanToken: scanToken } = await import('../../../src/features/scans/scan-token.ts');
    const itsToken = scanToken(test.services.fieldCipher, { id: late.body.scan.id, scannedAt: eightDaysAgo });
    const url = `/api/scans/public/${late.body.scan.id}`;
    for (const token of [itsToken, late.body.scanToken]) {
      const headers = { 'x-scan-token': token };
      t.same(Object.keys((await call('GET', url, { headers })).body), FACTS);
      const unlock = await call('POST', `${url}/unlock`, { headers, body: { pin: '4711' } });
      t.equal(unlock.body.code, 'SCAN_TOKEN_INVALID');
    }
  });

  await t.test('audits the read of medical content by a guest', async (t) => {
    const medical = await code({ kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' } });
    const scanned = await call('POST', '/api/scans/public', { body: { qrCodeId: medical } });
    const url = `/api/scans/${scanned.body.scan.id}`;
    const trail = await captureAuditEntries(test, () =>
      call('GET', url, { headers: createTokenHeader(scanned) }),
    );
    t.match(trail, [{ action: 'MEDICAL_DATA_SCANNED', resourceId: medical }]);
    t.same(await captureAuditEntries(test, () => call('GET', url)), []);
  });
});

t.test('an owner lists the scans of their codes', async (t) => {
  const test = await startScans(t);
  const { call, code, scan, owner, database } = test;
  const token = owner.accessToken;
  const [rex, bag] = [await code(), await code()];
  const eve = await test.createUser();
  const foreign = await code({}, eve);
  await scan({ qrCodeId: foreign });
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) ids.unshift((await scan({ qrCodeId: rex })).body.scan.id);
  const place = await call('POST', '/api/scans/geocoded', { body: { qrCodeId: bag, ...BERLIN_POSITION } });
  ids.unshift(place.body.scan.id);
  const own = await call('POST', '/api/scans', { body: { qrCodeId: bag }, token });
  ids.unshift(own.body.scan.id);
  const list = (query = '') => call('GET', `/api/scans${query}`, { token });
  const idsOf = (answer: TestResponse) => answer.body.data.map(({ id }: { id: string }) => id);

  await t.test('lists scans newest first, page by page, without encrypted fields', async (t) => {
    const all = await list();
    t.equal(all.status, 200, all.text);
    t.match(all.body.pagination, { page: 1, limit: 10, total: 7, totalPages: 1 });
    t.same(idsOf(all), ids);
    const keys = [
      'id',
      'qrCodeId',
      'kind',
      'title',
      'status',
      'type',
      'class',
      'classRule',
      'scannedAt',
      'unlocked',
      'location',
      'ip',
      'userAgent',
    ];
    t.same(Object.keys(all.body.data[0]), keys);
    t.same(all.body.data[1].location, {
      city: 'Berlin',
      region: place.body.scan.location.region,
      country: 'DE',
    });
    t.match(all.body.data[0], { class: 'OWNER', type: 'user', location: null, ip: '127.0.0.0' });
    const [first, second] = [await list('?limit=4'), await list('?limit=4&page=2')];
    t.same([...idsOf(first), ...idsOf(second)], ids);
    t.same(idsOf(await list('?limit=1')), ids.slice(0, 1));
    t.equal(all.headers['cache-control'], 'private, no-cache');
    const again = await call('GET', '/api/scans', {
      token,
      headers: { 'if-none-match': String(all.headers.etag) },
    });
    t.equal(again.status, 304);
  });

  await t.test('lists all scans by cursor, whatever is added in between', async (t) => {
    const listed: string[] = [];
    let cursor: string | null = 'start';
    while (cursor) {
      const page: TestResponse = await list(`?limit=3&cursor=${cursor}`);
      t.equal(page.status, 200, page.text);
      t.same(Object.keys(page.body.pagination), ['limit', 'nextCursor', 'hasMore']);
      t.equal(page.body.pagination.hasMore, page.body.pagination.nextCursor !== null);
      listed.push(...idsOf(page));
      cursor = page.body.pagination.nextCursor;
      if (listed.length === 3) await scan({ qrCodeId: rex });
    }
    t.same(listed, ids);
    await database.client.$executeRaw`DELETE FROM scans WHERE qr_code_id = ${rex} AND NOT id = ANY(${ids})`;
    const forged = Buffer.from(`${Date.now()}.${generateAbsentId()}x`).toString('base64url');
    for (const bad of ['x', 'START', forged, `${forged}=`, '%00', 'a'.repeat(101)]) {
      t.equal((await list(`?cursor=${bad}`)).status, 400, bad);
    }
  });

  await t.test('lists scans oldest first, by page and by cursor', async (t) => {
    const oldest = ids.toReversed();
    t.same(idsOf(await list('?sort=scannedAt')), oldest);
    t.same(idsOf(await list('?sort=-scannedAt')), ids);
    t.same(idsOf(await list('?sort=undefined')), ids);
    t.same(idsOf(await list('?sort=scannedAt&limit=3&page=2')), oldest.slice(3, 6));
    t.same(idsOf(await list(`?sort=scannedAt&qrCodeId=${bag}`)), ids.slice(0, 2).toReversed());
    const listed: string[] = [];
    let cursor: string | null = 'start';
    while (cursor) {
      const page: TestResponse = await list(`?sort=scannedAt&limit=2&cursor=${cursor}`);
      listed.push(...idsOf(page));
      cursor = page.body.pagination.nextCursor;
    }
    t.same(listed, oldest);
    for (const bad of ['createdAt', '--scannedAt', 'scannedAt,id', 'scanned_at', '-']) {
      const answer = await list(`?sort=${bad}`);
      t.equal(answer.status, 400, bad);
      t.match(answer.body.errors, [{ field: 'sort', code: 'NOT_ALLOWED' }]);
    }
  });

  await t.test('reads either order from an index without sorting', async (t) => {
    const after = { at: new Date(), id: generateAbsentId() };
    for (const sort of SCAN_SORTS) {
      for (const [filter, index] of [
        [{}, /using scans_\d+_\d+_account_id/],
        [{ qrCodeId: rex }, /using scans_\d+_\d+_qr_code_id/],
      ] as const) {
        const query = createScanCursorQuery(owner.id, filter, sort, after, 11);
        const lines = await database.transaction(async (tx) => {
          await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
          return tx.$queryRaw<Record<string, string>[]>(Prisma.sql`EXPLAIN ${query}`);
        });
        const plan = lines.flatMap((line) => Object.values(line)).join('\n');
        t.match(plan, index);
        t.notMatch(plan, /-> +(Incremental )?Sort /);
      }
    }
  });

  await t.test('filters by code, type and class', async (t) => {
    t.same(idsOf(await list(`?qrCodeId=${bag}`)), ids.slice(0, 2));
    t.same(idsOf(await list('?type=guest')), ids.slice(1, 2));
    t.same(idsOf(await list('?class=OWNER')), ids.slice(0, 1));
    t.equal((await list('?class=DUPLICATE&type=public')).body.pagination.total, 4);
    t.equal(
      (await list('?class=undefined&type=&from=null&to=&cursor=undefined&qrCodeId=')).body.pagination.total,
      7,
    );
    for (const bad of [
      'class=human',
      'type=x',
      'qrCodeId=1',
      'from=yesterday',
      'to=2026-13-01',
      'from=1800-01-01',
    ]) {
      t.equal((await list(`?${bad}`)).status, 400, bad);
    }
    t.equal((await list('?page=1001')).body.code, 'USE_CURSOR');
  });

  await t.test('a range is half-open, and a bare date is a day in the owner’s time zone', async (t) => {
    for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']) {
      await database.client.user.update({ where: { id: owner.id }, data: { timeZone } });
      const start = getStartOfDay(new Date(Date.now() - 3 * DAY_MS), timeZone);
      const moments = [
        start.getTime() - 1,
        start.getTime(),
        start.getTime() + DAY_MS - 1,
        start.getTime() + DAY_MS,
      ];
      const [before, first, last, after] = await Promise.all(moments.map((at) => putScan(new Date(at))));
      const day = new Date(start.getTime() + DAY_MS / 2).toLocaleDateString('en-CA', { timeZone });
      const next = new Date(start.getTime() + 1.5 * DAY_MS).toLocaleDateString('en-CA', { timeZone });
      t.same(idsOf(await list(`?qrCodeId=${rex}&from=${day}&to=${next}`)), [last, first], timeZone);
      const exact = `from=${new Date(moments[0] ?? 0).toISOString()}&to=${new Date(moments[3] ?? 0).toISOString()}`;
      t.same(idsOf(await list(`?${exact}`)), [last, first, before], timeZone);
      await database.client.scan.deleteMany({
        where: { id: { in: [before, first, last, after].map(String) } },
      });
    }
  });

  await t.test('another user’s code is 404 like an absent one, and is audited', async (t) => {
    for (const id of [foreign, generateAbsentId()]) {
      const trail = await captureAuditEntries(test, async () =>
        t.equal((await list(`?qrCodeId=${id}`)).status, 404),
      );
      t.match(trail, [{ action: 'ACCESS_DENIED', outcome: 'DENIED' }]);
      t.equal(trail.length, 1);
    }
    const hers = await call('GET', '/api/scans', { token: eve.accessToken });
    t.equal(hers.body.pagination.total, 1);
    await call('DELETE', `/api/qrcodes/${bag}`, { token });
    t.equal((await list(`?qrCodeId=${bag}`)).body.pagination.total, 2, 'the scans of a deleted code stay');
  });

  async function putScan(scannedAt: Date): Promise<string> {
    const id = generateId(scannedAt);
    const [row] = await database.client.scan.findMany({ where: { qrCodeId: rex }, take: 1 });
    if (!row) throw new Error('no scan to copy');
    await database.client.scan.create({ data: { ...row, id, scannedAt } });
    return id;
  }
});
