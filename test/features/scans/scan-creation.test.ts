import { generateAbsentId, PHONE_USER_AGENT } from '../../helper.ts';
import { freezeRateWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { countStatuses, isProblem, runConcurrently } from '../identity/accounts/helper.ts';
import { BERLIN_POSITION, createTokenHeader, findCounts, startScans } from './helper.ts';

const KEY = { 'idempotency-key': 'a-key-of-one-visitor-1' };

t.test('anyone can scan a code', async (t) => {
  const test = await startScans(t);
  const { call, scan, code, owner, database } = test;
  const id = await code({
    data: { name: 'Rex', species: 'Dog', owner: { name: 'Ada', phone: '+49 170 1' } },
  });
  await database.client.notification.deleteMany();

  await t.test('a public scan shows what the owner allows, and notifies the owner', async (t) => {
    const before = Date.now();
    const scanResponse = await scan(
      { qrCodeId: id },
      { headers: { 'user-agent': `${PHONE_USER_AGENT} first` } },
    );
    t.equal(scanResponse.status, 201, scanResponse.text);
    t.same(Object.keys(scanResponse.body), [
      ...['scan', 'scanToken', 'kind', 'status', 'lost', 'profile', 'pictures', 'pinRequired', 'contactable'],
    ]);
    const { scan: made1, ...rest } = scanResponse.body;
    t.match(made1, { id: /^[0-9a-f]{24}$/, qrCodeId: id, type: 'public', location: null });
    t.same(Object.keys(made1), ['id', 'qrCodeId', 'type', 'scannedAt', 'location']);
    t.ok(Date.parse(made1.scannedAt) >= before - 1 && Date.parse(made1.scannedAt) <= Date.now() + 1);
    t.match(rest, { kind: 'PET', status: 'ACTIVE', lost: null });
    t.match(rest, { pictures: [], pinRequired: false, contactable: true, scanToken: /^[\w-]{43}$/ });
    t.same(rest.profile, { name: 'Rex', species: 'Dog' });
    t.equal(scanResponse.headers.location, `/api/scans/public/${made1.id}`);
    t.equal(scanResponse.headers['cache-control'], 'no-store');
    const [notice] = await database.client.notification.findMany();
    t.match(notice, { userId: owner.id, type: 'DEFAULT', event: 'scan.created' });
    t.same(notice?.data, { qrCodeId: id, scanId: made1.id, code: 'Rex' });
    const row = await database.client.scan.findUniqueOrThrow({ where: { id: made1.id } });
    t.match(row, {
      class: 'HUMAN',
      classRule: 'no-other-rule',
      ipTruncated: '127.0.0.0',
      accountId: owner.id,
    });
    t.equal(row.scannedAt.toISOString(), made1.scannedAt);
  });

  await t.test('a position is geocoded and stored encrypted', async (t) => {
    for (const url of [
      '/api/scans/geocoded?type=guest',
      '/api/scans/geocoded',
      '/api/scans/geocoded?type=',
    ]) {
      const scanResponse = await call('POST', url, { body: { qrCodeId: id, ...BERLIN_POSITION } });
      t.equal(scanResponse.status, 201, scanResponse.text);
      t.equal(scanResponse.body.scan.type, 'guest');
      t.match(scanResponse.body.scan.location, { ...BERLIN_POSITION, city: 'Berlin', country: 'DE' });
      t.same(Object.keys(scanResponse.body.scan.location), [
        ...['latitude', 'longitude', 'accuracy', 'address', 'city', 'region', 'country'],
      ]);
      const row = await database.client.scan.findUniqueOrThrow({ where: { id: scanResponse.body.scan.id } });
      t.equal(row.city, 'Berlin');
      t.notMatch(Buffer.from(row.position ?? []).toString('latin1'), /52\.51/);
    }
    const sea = await scan({ qrCodeId: id, latitude: 0, longitude: -140 });
    t.equal(sea.status, 201);
    const none = { accuracy: null, address: null, city: null, region: null, country: null };
    t.same(sea.body.scan.location, { latitude: 0, longitude: -140, ...none });
    t.equal(sea.body.scan.type, 'public');
    const [notice] = await database.client.notification.findMany({
      where: { data: { path: ['place'], equals: 'Berlin' } },
    });
    t.ok(notice, 'the city is in the notification');
  });

  await t.test('a failing geocoder leaves the names of the place null', async (t) => {
    const { reverseGeocode } = test.services.geocoder;
    t.teardown(() => Object.assign(test.services.geocoder, { reverseGeocode }));
    Object.assign(test.services.geocoder, { reverseGeocode: () => Promise.reject(new Error('gone')) });
    const scanResponse = await call('POST', '/api/scans/geocoded', {
      body: { qrCodeId: id, ...BERLIN_POSITION },
    });
    t.equal(scanResponse.status, 201, scanResponse.text);
    t.match(scanResponse.body.scan.location, {
      latitude: BERLIN_POSITION.latitude,
      address: null,
      city: null,
    });
  });

  await t.test(
    'records a signed-in user as the scanner, and classifies a scan of the owner as OWNER',
    async (t) => {
      const eve = await test.createUser();
      const unprofiled = await test.createUser({ profile: false });
      const notificationCount = await database.client.notification.count();
      for (const [url, body] of [
        ['/api/scans', { qrCodeId: id }],
        ['/api/scans/geocoded?type=user', { qrCodeId: id, ...BERLIN_POSITION }],
      ] as const) {
        t.ok(isProblem(await call('POST', url, { body }), 401, 'UNAUTHENTICATED'), url);
        const early = await call('POST', url, { body, token: unprofiled.accessToken });
        t.ok(isProblem(early, 403, 'PROFILE_REQUIRED'), early.text);
        const scanResponse = await call('POST', url, { body, token: eve.accessToken });
        t.equal(scanResponse.status, 201, scanResponse.text);
        t.equal(scanResponse.body.scan.type, 'user');
        const row = await database.client.scan.findUniqueOrThrow({
          where: { id: scanResponse.body.scan.id },
        });
        t.match(row, { scannerId: eve.id, class: 'DUPLICATE', classRule: 'same-visitor' });
        const own = await call('POST', url, { body, token: owner.accessToken });
        const ownRow = await database.client.scan.findUniqueOrThrow({ where: { id: own.body.scan.id } });
        t.match(ownRow, { class: 'OWNER', classRule: 'owner-account' });
      }
      const bad = await scan({ qrCodeId: id }, { token: 'a.bad.token' });
      t.equal(bad.status, 201, 'a bad credential counts as none');
      await scan({ qrCodeId: id }, { token: owner.accessToken });
      t.equal(
        await database.client.notification.count(),
        notificationCount,
        'no notification of scans of the owner or of repeated scans',
      );
      const { counters, rows } = await findCounts(test, id);
      t.same(counters, rows);
      t.ok(counters.humans < counters.total);
    },
  );

  await t.test('server-side fields from the client are ignored, and coordinates must be valid', async (t) => {
    const forged = {
      ip: '203.0.113.9',
      userAgent: 'forged',
      scannedAt: '2001-01-01T00:00:00Z',
      accountId: generateAbsentId(),
    };
    const headers = { 'x-forwarded-for': '203.0.113.9', 'user-agent': `${PHONE_USER_AGENT} honest` };
    const body = {
      qrCodeId: id,
      ...forged,
      userId: generateAbsentId(),
      type: 'user',
      class: 'OWNER',
      address: 'x',
      id: generateAbsentId(),
    };
    for (const url of ['/api/scans/public', '/api/scans/geocoded?type=guest']) {
      const scanResponse = await call('POST', url, { body: { ...body, ...BERLIN_POSITION }, headers });
      t.equal(scanResponse.status, 201, scanResponse.text);
      t.not(scanResponse.body.scan.id, body.id);
      const row = await database.client.scan.findUniqueOrThrow({ where: { id: scanResponse.body.scan.id } });
      t.match(row, {
        ipTruncated: '127.0.0.0',
        userAgent: `${PHONE_USER_AGENT} honest`,
        accountId: owner.id,
      });
      t.ok(Date.now() - row.scannedAt.getTime() < 60_000);
      t.not(scanResponse.body.scan.location.address, 'x');
    }
    const wrong: [string, object][] = [
      ['latitude', { latitude: 91, longitude: 0 }],
      ['longitude', { latitude: 0, longitude: -180.001 }],
      ['latitude', { latitude: '52', longitude: 13 }],
      ['latitude', { latitude: null, longitude: 13 }],
      ['longitude', { latitude: 52 }],
      ['accuracy', { ...BERLIN_POSITION, accuracy: -1 }],
    ];
    for (const [field, position] of wrong) {
      for (const url of ['/api/scans/public', '/api/scans/geocoded?type=guest']) {
        const answer = await call('POST', url, { body: { qrCodeId: id, ...position } });
        t.ok(isProblem(answer, 400, 'VALIDATION_FAILED'), answer.text);
        t.equal(answer.body.errors[0].field, field);
      }
    }
    for (const body of [{ qrCodeId: id }, {}, { ...BERLIN_POSITION }]) {
      t.equal((await call('POST', '/api/scans/geocoded?type=guest', { body })).status, 400);
    }
    for (const type of ['public', 'GUEST', 'x', 'guest&type=user']) {
      const url = `/api/scans/geocoded?type=${type}`;
      t.equal((await call('POST', url, { body: { qrCodeId: id, ...BERLIN_POSITION } })).status, 400, type);
    }
    for (const qrCodeId of ['x', id.toUpperCase(), 12, { not: '' }]) {
      t.equal((await scan({ qrCodeId })).status, 400);
    }
    for (const pin of [12, '12', '1234567890123', 'abcd', '１２３４']) {
      t.equal((await scan({ qrCodeId: id, pin })).status, 400, String(pin));
    }
  });

  await t.test('treats null in an optional field as absent', async (t) => {
    const nothing = { pin: null, latitude: null, longitude: null, accuracy: null };
    const scanResponse = await scan({ qrCodeId: id, ...nothing });
    t.equal(scanResponse.status, 201, scanResponse.text);
    t.equal(scanResponse.body.scan.location, null);
    const geocoded = await call('POST', '/api/scans/geocoded', {
      body: { qrCodeId: id, ...BERLIN_POSITION, accuracy: null, pin: null },
    });
    t.equal(geocoded.status, 201, geocoded.text);
    t.match(geocoded.body.scan.location, { latitude: BERLIN_POSITION.latitude, accuracy: null });
    const half = await scan({ qrCodeId: id, latitude: 52, longitude: null });
    t.match(half.body.errors, [{ field: 'longitude', code: 'REQUIRED' }]);
    t.equal((await scan({ qrCodeId: null })).status, 400, 'the code is needed');
    const guarded = await code({ pin: '0012', data: { name: 'Rex', owner: { name: 'Ada' } } });
    t.match((await scan({ qrCodeId: guarded, pin: null })).body, { pinRequired: true });
  });

  await t.test('unknown and deleted codes are the same 404, paused and expired ones 410', async (t) => {
    const token = owner.accessToken;
    const gone = await code();
    await call('DELETE', `/api/qrcodes/${gone}`, { token });
    const [unknown, deleted] = [await scan({ qrCodeId: generateAbsentId() }), await scan({ qrCodeId: gone })];
    t.ok(isProblem(unknown, 404, 'NOT_FOUND'));
    t.same({ ...deleted.body, requestId: '' }, { ...unknown.body, requestId: '' });
    const paused = await code({ contactable: false });
    await call('PATCH', `/api/qrcodes/${paused}`, { token, body: { status: 'PAUSED' } });
    const expired = await code({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await database.client.qrCode.update({ where: { id: expired }, data: { expiresAt: new Date() } });
    for (const [qrCodeId, problem, contactable] of [
      [paused, 'CODE_PAUSED', false],
      [expired, 'CODE_EXPIRED', true],
    ] as const) {
      for (const url of ['/api/scans/public', '/api/scans/geocoded']) {
        const answer = await call('POST', url, { body: { qrCodeId, ...BERLIN_POSITION } });
        t.ok(isProblem(answer, 410, problem), answer.text);
        t.equal(answer.body.contactable, contactable);
      }
      t.equal(await database.client.scan.count({ where: { qrCodeId } }), 0);
    }
  });

  await t.test('a scan of a lost item sends an alert, and one with medical content is audited', async (t) => {
    const lost = await code();
    await call('POST', `/api/qrcodes/${lost}/lost`, { token: owner.accessToken, body: { reward: 'Cake' } });
    const trail = await captureAuditEntries(test, async () => {
      const scanned = await scan({ qrCodeId: lost });
      const facts = { kind: 'PET', status: 'LOST', lost: { reward: 'Cake', message: null, lastSeen: null } };
      t.match(scanned.body, facts);
      t.same(Object.keys(scanned.body.lost), ['message', 'reward', 'lastSeen']);
      const url = `/api/scans/${scanned.body.scan.id}`;
      t.match((await call('GET', url, { headers: createTokenHeader(scanned) })).body, facts);
      t.notOk('lost' in (await call('GET', url)).body, 'without the token');
      const own = await call('GET', url, { token: owner.accessToken });
      t.match(own.body, { ...facts, title: 'Rex' });
      const list = await call('GET', `/api/scans?qrCodeId=${lost}`, { token: owner.accessToken });
      t.match(list.body.data, [{ kind: 'PET', title: 'Rex', status: 'LOST' }]);
    });
    t.same(trail, []);
    const [alert] = await database.client.notification.findMany({ where: { type: 'ALERT' } });
    t.match(alert, { event: 'code.scanned_while_lost', userId: owner.id });
    const medical = await code({ kind: 'MEDICAL', title: 'Card', data: { name: 'Ada', bloodType: 'A+' } });
    const entries = await captureAuditEntries(test, () => scan({ qrCodeId: medical }));
    t.match(entries, [
      { action: 'MEDICAL_DATA_SCANNED', severity: 'MEDIUM', outcome: 'SUCCESS', resourceId: medical },
    ]);
    t.equal(entries.length, 1);
    const hidden = await code({
      kind: 'MEDICAL',
      title: 'Card',
      data: { name: 'Ada' },
      visibility: { name: 'PRIVATE' },
    });
    t.same(await captureAuditEntries(test, () => scan({ qrCodeId: hidden })), [], 'nothing was shown');
  });
});

t.test('a repeated scan has one row and one response, and never those of another visitor', async (t) => {
  const test = await startScans(t);
  const { scan, code, database, call } = test;
  const id = await code();
  const headers = { ...KEY, 'user-agent': 'finder/1' };
  const answers = await runConcurrently(50, () => scan({ qrCodeId: id, ...BERLIN_POSITION }, { headers }));
  t.same(countStatuses(answers), { 201: 50 });
  t.equal(new Set(answers.map(({ text }) => text)).size, 1);
  t.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 49);
  t.equal(await database.client.scan.count({ where: { qrCodeId: id } }), 1);

  const others = [
    await scan({ qrCodeId: id, ...BERLIN_POSITION }, { headers, remoteAddress: '127.0.0.2' }),
    await scan({ qrCodeId: id, ...BERLIN_POSITION }, { headers: { ...headers, 'user-agent': 'finder/2' } }),
  ];
  for (const other of others) {
    t.equal(other.status, 201);
    t.not(other.body.scan.id, answers[0]?.body.scan.id);
    t.notOk(other.headers['idempotency-replayed']);
  }
  const another = await scan({ qrCodeId: id, latitude: 1, longitude: 1 }, { headers });
  t.ok(isProblem(another, 409, 'IDEMPOTENCY_KEY_REUSED'), another.text);
  const stored = await database.client.idempotencyKey.findMany();
  const { scanToken } = answers[0]?.body ?? {};
  t.ok(stored.every(({ response }) => !Buffer.from(response ?? []).includes(scanToken)));

  await call('PATCH', `/api/qrcodes/${id}`, { token: test.owner.accessToken, body: { status: 'PAUSED' } });
  const late = await scan({ qrCodeId: id, ...BERLIN_POSITION }, { headers });
  t.equal(late.text, answers[0]?.text, 'the first response, although the code is paused now');
  t.equal((await scan({ qrCodeId: id, ...BERLIN_POSITION })).status, 410);
});

t.test('a repeatable scan stores a reference, whatever the size of the content', async (t) => {
  const { scan, code, database, call, owner } = await startScans(t);
  const id = await code({ kind: 'TEXT', data: { text: 'x'.repeat(4_900) } });
  const first = await scan({ qrCodeId: id }, { headers: KEY });
  t.equal(first.status, 201, first.text);
  t.equal((await scan({ qrCodeId: id }, { headers: KEY })).text, first.text);
  const [stored] = await database.client.idempotencyKey.findMany();
  t.ok((stored?.response?.length ?? 4_900) < 1_000, `${stored?.response?.length} bytes`);

  const change = { data: { text: 'new' } };
  await call('PATCH', `/api/qrcodes/${id}`, { token: owner.accessToken, body: change });
  const later = await scan({ qrCodeId: id }, { headers: KEY });
  t.same(later.body.profile, { text: 'new' }, 'what the owner shows now');
  t.same(later.body.scan, first.body.scan);
});

t.test('a repeated scan shows nothing behind a PIN that was changed', async (t) => {
  const { scan, code, call, owner } = await startScans(t);
  const id = await code({ data: { name: 'Rex', owner: { name: 'Ada' } }, pin: '0012' });
  const body = { qrCodeId: id, pin: '0012' };
  const first = await scan(body, { headers: KEY });
  t.equal(first.body.pinRequired, false);
  await call('PATCH', `/api/qrcodes/${id}`, { token: owner.accessToken, body: { pin: '777888' } });
  const later = await scan(body, { headers: KEY });
  t.same([later.status, later.body.pinRequired], [201, true]);
  t.notOk(later.body.profile.owner);
});

t.test('a repeated scan is replayed before any PIN is compared', async (t) => {
  const { scan, code, database, services, owner, call } = await startScans(t);
  const id = await code({ data: { name: 'Rex', owner: { name: 'Ada' } }, pin: '0012' });
  let compares = 0;
  const { verify } = services.pins;
  Object.assign(services.pins, {
    verify: (...args: Parameters<typeof verify>) => {
      compares++;
      return verify(...args);
    },
  });
  const body = { qrCodeId: id, pin: '0012' };
  const first = await scan(body, { headers: KEY });
  t.equal(first.status, 201, first.text);
  t.equal(compares, 1);
  const again = await scan(body, { headers: KEY });
  t.equal(again.text, first.text);
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.equal(again.headers.location, first.headers.location);
  for (const other of [{ ...body, pin: '9999' }, { qrCodeId: id }, { ...body, latitude: 1, longitude: 1 }]) {
    t.ok(isProblem(await scan(other, { headers: KEY }), 409, 'IDEMPOTENCY_KEY_REUSED'));
  }
  t.equal(compares, 1, 'nothing was compared');
  t.equal(await database.client.scan.count(), 1);

  const stranger = await scan(body, { headers: KEY, remoteAddress: '127.0.0.2' });
  t.equal(stranger.status, 201);
  t.equal(stranger.headers['idempotency-replayed'], undefined, 'never the response of another visitor');
  t.equal(compares, 2);
  const signedIn = await call('POST', '/api/scans', { body, headers: KEY, token: owner.accessToken });
  t.equal(signedIn.headers['idempotency-replayed'], undefined);
  t.equal(compares, 3);

  for (let index = 0; index < 6; index++) await scan({ qrCodeId: id, pin: '9999' });
  t.equal((await scan(body)).status, 429);
  t.equal((await scan(body, { headers: KEY })).text, first.text, 'although no attempt is left now');

  const wrong = { 'idempotency-key': 'a-key-of-a-wrong-pin' };
  const otherClient = { headers: wrong, remoteAddress: '10.1.1.1' };
  t.equal((await scan({ qrCodeId: id, pin: '9999' }, otherClient)).status, 403);
  t.equal((await scan(body, otherClient)).status, 201, 'a refused request leaves its key free');
});

t.test('counters equal rows after 200 parallel scans of several visitors', async (t) => {
  const test = await startScans(t);
  const { scan, code } = test;
  const ids = [await code(), await code()];
  const answers = await runConcurrently(200, (index) =>
    scan(
      { qrCodeId: ids[index % 10 === 0 ? 1 : 0] },
      { remoteAddress: `10.0.${index % 7}.1`, headers: { 'user-agent': `${PHONE_USER_AGENT} ${index % 3}` } },
    ),
  );
  t.same(countStatuses(answers), { 201: 200 });
  const [first, second] = [await findCounts(test, ids[0] ?? ''), await findCounts(test, ids[1] ?? '')];
  t.same(first.counters, first.rows);
  t.same(second.counters, second.rows);
  t.equal(first.counters.total + second.counters.total, 200);
  t.equal(first.counters.unique, 21);
});

t.test('one visitor may scan a code 30 times a minute', async (t) => {
  const { scan, code } = await startScans(t, { RATE_LIMIT_SCALE: '1' });
  const id = await code();
  freezeRateWindow(t);
  for (let index = 0; index < 30; index++) t.equal((await scan({ qrCodeId: id })).status, 201);
  t.ok(isProblem(await scan({ qrCodeId: id }), 429, 'RATE_LIMITED'));
});

t.test(
  'a repeated scan with medical content is audited again, and one of a deleted code is 404',
  async (t) => {
    const test = await startScans(t);
    const { scan, code, call, owner } = test;
    const id = await code({ kind: 'MEDICAL', title: 'Card', data: { name: 'Ada', bloodType: 'A+' } });
    const first = await scan({ qrCodeId: id }, { headers: KEY });
    t.equal(first.status, 201, first.text);
    const trail = await captureAuditEntries(test, async () => {
      const again = await scan({ qrCodeId: id }, { headers: KEY });
      t.equal(again.text, first.text);
    });
    t.match(trail, [{ action: 'MEDICAL_DATA_SCANNED', resourceId: id }]);
    t.equal((await call('DELETE', `/api/qrcodes/${id}`, { token: owner.accessToken })).status, 200);
    const late = await scan({ qrCodeId: id }, { headers: KEY });
    t.equal(late.status, 404, late.text);
  },
);
