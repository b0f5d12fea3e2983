import { createTestGate } from '../../gate.ts';
import type { TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { countStatuses, findAuditEntries, isProblem, runConcurrently } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from './helper.ts';

const HOUR_MS = 3_600_000;

/** Comparisons under way hold their attempts for ten seconds, which a busy machine can exceed. */
const lockAttempts = ({ database }: Pick<TestApp, 'database'>) =>
  // Locked in the order of the service, against deadlocks.
  database.client.$executeRaw`
    WITH locked AS MATERIALIZED (SELECT key FROM attempt_budgets ORDER BY key FOR UPDATE)
    UPDATE attempt_budgets AS budget SET in_flight_until = now() + interval '1 hour'
    FROM locked WHERE budget.key = locked.key`;

const SECRET = { data: { name: 'Rex', owner: { name: 'Ada' } }, pin: '0012' };

t.test('a PIN protects PIN fields, and only those', async (t) => {
  const test = await startScans(t);
  const { scan, code, call, database, owner } = test;
  const id = await code(SECRET);

  await t.test('a scan shows public fields without the PIN, and PIN fields with it', async (t) => {
    const closed = await scan({ qrCodeId: id });
    t.match(closed.body, { pinRequired: true, profile: { name: 'Rex' } });
    t.same(Object.keys(closed.body.profile), ['name']);
    const open = await scan({ qrCodeId: id, pin: '0012' });
    t.equal(open.status, 201, open.text);
    t.same(open.body.profile, SECRET.data);
    t.equal(open.body.pinRequired, false);
    const row = await database.client.scan.findUniqueOrThrow({ where: { id: open.body.scan.id } });
    t.ok(row.unlockedAt);
    const pinless = await scan({ qrCodeId: await code(), pin: '9999' });
    t.equal(pinless.status, 201, 'a code without PIN ignores one');
    t.equal(pinless.body.pinRequired, false);
  });

  await t.test('a wrong PIN stores no scan, is audited, and returns the attempts left', async (t) => {
    const before = await database.client.scan.count();
    const trail = await captureAuditEntries(test, async () => {
      const wrong = await scan({ qrCodeId: id, pin: '12' + '34' });
      t.ok(isProblem(wrong, 403, 'PIN_INCORRECT'), wrong.text);
      t.equal(wrong.body.attemptsLeft, 4);
    });
    t.match(trail, [{ action: 'PIN_REJECTED', outcome: 'DENIED', resourceId: id }]);
    t.equal(await database.client.scan.count(), before);
    for (let index = 0; index < 6; index++) await scan({ qrCodeId: id, pin: '0012' });
    t.equal(
      (await scan({ qrCodeId: id, pin: '0000' })).body.attemptsLeft,
      3,
      'the correct PIN costs nothing',
    );
  });

  await t.test('the scan token and the PIN unlock an existing scan', async (t) => {
    const scanResponse = await scan({ qrCodeId: id });
    const url = `/api/scans/public/${scanResponse.body.scan.id}/unlock`;
    const headers = createTokenHeader(scanResponse);
    const bads: Record<string, string>[] = [
      {},
      { 'x-scan-token': 'x' },
      { 'x-scan-token': `${scanResponse.body.scanToken}x` },
    ];
    for (const bad of bads) {
      const answer = await call('POST', url, { body: { pin: '0012' }, headers: bad });
      t.ok(isProblem(answer, 403, 'SCAN_TOKEN_INVALID'), answer.text);
    }
    t.equal((await call('POST', url, { body: {}, headers })).status, 400);
    const absent = `/api/scans/public/${id}/unlock`;
    t.equal((await call('POST', absent, { body: { pin: '0012' }, headers })).status, 404);
    const count = await database.client.scan.count();
    const trail = await captureAuditEntries(test, async () => {
      const opened = await call('POST', url, { body: { pin: '0012' }, headers });
      t.equal(opened.status, 200, opened.text);
      t.same(opened.body, { ...scanResponse.body, profile: SECRET.data, pinRequired: false });
    });
    t.same(
      trail.map(({ action, resourceId }) => [action, resourceId]),
      [['SCAN_UNLOCKED', scanResponse.body.scan.id]],
    );
    t.same(
      await captureAuditEntries(test, () => call('POST', url, { body: { pin: '0012' }, headers })),
      [],
      'once',
    );
    t.equal(await database.client.scan.count(), count, 'one visit is one scan');
    const view = await call('GET', `/api/scans/public/${scanResponse.body.scan.id}`, { headers });
    t.same(view.body.profile, SECRET.data);

    await call('PATCH', `/api/qrcodes/${id}`, { token: owner.accessToken, body: { pin: '4711' } });
    const after = await call('GET', `/api/scans/public/${scanResponse.body.scan.id}`, { headers });
    t.match(after.body, { pinRequired: true, profile: { name: 'Rex' } }, 'a new PIN locks it again');
    t.notOk('owner' in after.body.profile);

    await call('PATCH', `/api/qrcodes/${id}`, { token: owner.accessToken, body: { status: 'PAUSED' } });
    t.ok(isProblem(await call('POST', url, { body: { pin: '4711' }, headers }), 410, 'CODE_PAUSED'));
  });
});

t.test('of 100 parallel wrong PINs five are compared, and the owner is notified once', async (t) => {
  const test = await startScans(t);
  const { scan, code, database, services } = test;
  const id = await code(SECRET);
  await database.client.notification.deleteMany();
  let compares = 0;
  const { verify } = services.pins;
  Object.assign(services.pins, {
    verify: async (...args: Parameters<typeof verify>) => {
      compares++;
      await lockAttempts(test);
      return verify(...args);
    },
  });
  const answers = await runConcurrently(100, () => scan({ qrCodeId: id, pin: '9999' }));
  t.equal(compares, 5);
  const tallied = countStatuses(answers);
  t.equal(tallied[403], 5);
  t.equal((tallied[429] ?? 0) + (tallied[503] ?? 0), 95);
  const left = answers.filter(({ status }) => status === 403).map(({ body }) => body.attemptsLeft);
  t.same(left.sort(), [0, 1, 2, 3, 4]);
  t.equal((await findAuditEntries(test, 'PIN_REJECTED')).length, 5);
  t.match(await database.client.notification.findMany(), [{ event: 'code.pin_rejected', type: 'ALERT' }]);
  t.equal(await database.client.notification.count(), 1);

  t.ok(isProblem(await scan({ qrCodeId: id, pin: '0012' }), 429, 'RATE_LIMITED'), 'even the correct PIN');
  t.equal((await scan({ qrCodeId: id })).status, 201, 'public fields are always shown');
  t.equal((await scan({ qrCodeId: id, pin: '0012' }, { remoteAddress: '10.1.2.3' })).status, 201);
  const near = await scan({ qrCodeId: id, pin: '0012' }, { remoteAddress: '127.0.0.200' });
  t.equal(near.status, 429, 'a neighbour in the same /24 has the same budget');
});

t.test('correct PINs in parallel succeed, or are asked to retry in a second', async (t) => {
  const { scan, code, database, services } = await startScans(t);
  const id = await code(SECRET);
  const { verify } = services.pins;
  const compare = createTestGate();
  let waiting = 0;
  const pausedVerify: typeof verify = async (...args) => {
    waiting++;
    await compare.whenOpened;
    return verify(...args);
  };
  Object.assign(services.pins, { verify: pausedVerify });
  const first = runConcurrently(5, () => scan({ qrCodeId: id, pin: '0012' }));
  while (waiting < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  await lockAttempts({ database });
  const more = await runConcurrently(20, () => scan({ qrCodeId: id, pin: '0012' }));
  for (const answer of more) {
    t.ok(isProblem(answer, 429, 'RATE_LIMITED'), answer.text);
    t.equal(answer.headers['retry-after'], '1');
  }
  t.equal(waiting, 5, 'no sixth comparison');
  compare.open();
  t.same(countStatuses(await first), { 201: 5 });
  Object.assign(services.pins, { verify });
  t.equal((await scan({ qrCodeId: id, pin: '0012' })).status, 201, 'the attempts are refunded');
  const budgets = await database.client.attemptBudget.findMany({ where: { key: { startsWith: 'pin' } } });
  t.same(
    budgets.map(({ used, inFlight }) => [used, inFlight]),
    [0, 1, 2, 3].map(() => [0, 0]),
  );

  const all = await runConcurrently(60, async () => {
    for (;;) {
      const answer = await scan({ qrCodeId: id, pin: '0012' });
      if (answer.status === 201) return answer;
      t.ok([429, 503].includes(answer.status) && Number(answer.headers['retry-after']) <= 2, answer.text);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  t.same(countStatuses(all), { 201: 60 });
});

t.test('a wrong PIN among correct ones costs one attempt, and reports it', async (t) => {
  const { scan, code, database, services } = await startScans(t);
  const id = await code(SECRET);
  await database.client.notification.deleteMany();
  const { verify } = services.pins;
  const compare = createTestGate();
  let waiting = 0;
  const pausedVerify: typeof verify = async (pin, stored) => {
    if (pin === '0012') {
      waiting++;
      await compare.whenOpened;
    }
    return verify(pin, stored);
  };
  Object.assign(services.pins, { verify: pausedVerify });
  const right = runConcurrently(4, () => scan({ qrCodeId: id, pin: '0012' }));
  while (waiting < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  await lockAttempts({ database });
  const wrong = await scan({ qrCodeId: id, pin: '9999' });
  t.equal(wrong.body.attemptsLeft, 4);
  compare.open();
  t.same(countStatuses(await right), { 201: 4 });
  t.equal(await database.client.notification.count({ where: { event: 'code.pin_rejected' } }), 0);
  for (const left of [3, 2, 1]) {
    const answer = await scan({ qrCodeId: id, pin: '9999' });
    t.equal(answer.body.attemptsLeft, left);
    t.equal(answer.headers['retry-after'], undefined);
  }
  const last = await scan({ qrCodeId: id, pin: '9999' });
  t.ok(isProblem(last, 403, 'PIN_INCORRECT'), last.text);
  t.equal(last.body.attemptsLeft, 0);
  const wait = Number(last.headers['retry-after']);
  t.ok(wait > 800 && wait <= 900, 'until there is another attempt');
});

t.test('attempts lost in a crash stay consumed until the window ends', async (t) => {
  const { scan, code, database } = await startScans(t);
  const id = await code(SECRET);
  for (let index = 0; index < 4; index++) await scan({ qrCodeId: id, pin: '9999' });
  const useUpAttempts = (until: Date) =>
    database.client.attemptBudget.updateMany({
      where: { key: { startsWith: 'pin:' } },
      data: { used: 5, inFlight: 1, inFlightUntil: until },
    });
  await useUpAttempts(new Date(Date.now() + HOUR_MS));
  t.equal((await scan({ qrCodeId: id, pin: '0012' })).headers['retry-after'], '1');
  await useUpAttempts(new Date(Date.now() - 1));
  const dead = await scan({ qrCodeId: id, pin: '0012' });
  t.equal(dead.status, 429);
  t.ok(Number(dead.headers['retry-after']) > 800);
});

t.test('PIN errors contain the public fields, whatever the PIN', async (t) => {
  const test = await startScans(t);
  const { scan, code, call, database } = test;
  const id = await code(SECRET);
  const publicContent = { profile: { name: 'Rex' }, pinRequired: true, contactable: true };
  const scanResponse = await scan({ qrCodeId: id });
  const unlock = (pin: string) =>
    call('POST', `/api/scans/public/${scanResponse.body.scan.id}/unlock`, {
      body: { pin },
      headers: createTokenHeader(scanResponse),
    });
  const wrong = [await scan({ qrCodeId: id, pin: '9999' }), await unlock('8888')];
  for (const answer of wrong) {
    t.ok(isProblem(answer, 403, 'PIN_INCORRECT'), answer.text);
    t.match(answer.body, publicContent);
    t.same(answer.body.profile, publicContent.profile);
  }
  for (let index = 0; index < 3; index++) await unlock('9999');
  const over = [await scan({ qrCodeId: id, pin: '9999' }), await scan({ qrCodeId: id, pin: '0012' })];
  over.push(await unlock('0012'));
  for (const answer of over) {
    t.ok(isProblem(answer, 429, 'RATE_LIMITED'), answer.text);
    t.same(answer.body.profile, publicContent.profile);
    t.same({ ...answer.body, requestId: '' }, { ...over[0]?.body, requestId: '' });
  }
  t.equal(await database.client.scan.count(), 1, 'none of it is a scan');

  const medical = { kind: 'MEDICAL', title: 'Card', data: { name: 'Ada', bloodType: 'A+' }, pin: '0012' };
  const card = await code({ ...medical, visibility: { name: 'PUBLIC', bloodType: 'PIN' } });
  const trail = await captureAuditEntries(test, async () => {
    const answer = await scan({ qrCodeId: card, pin: '9999' }, { remoteAddress: '10.3.3.3' });
    t.same(answer.body.profile, { name: 'Ada' });
  });
  t.same(
    trail.map(({ action, resourceId }) => [action, resourceId]),
    [
      ['PIN_REJECTED', card],
      ['MEDICAL_DATA_SCANNED', card],
    ],
    'shown medical content is audited',
  );
  const closed = await code({ ...SECRET, visibility: { name: 'PRIVATE' } });
  const nothing = await scan({ qrCodeId: closed, pin: '9999' }, { remoteAddress: '10.3.3.3' });
  t.equal(nothing.body.profile, null);
});

t.test('a code has 20 attempts per hour over all addresses, and then one for each network', async (t) => {
  const { scan, code, database } = await startScans(t);
  const id = await code(SECRET);
  for (let index = 0; index < 20; index++) {
    const answer = await scan({ qrCodeId: id, pin: '1111' }, { remoteAddress: `10.9.${index}.1` });
    t.equal(answer.body.code, 'PIN_INCORRECT');
  }
  const enterElsewhere = () => scan({ qrCodeId: id, pin: '1111' }, { remoteAddress: '10.9.99.1' });
  t.match((await enterElsewhere()).body, { code: 'PIN_INCORRECT', attemptsLeft: 0 });
  const over = await enterElsewhere();
  t.ok(isProblem(over, 429, 'RATE_LIMITED'), over.text);
  t.ok(Number(over.headers['retry-after']) > 900, 'the hour, not the quarter');
  t.equal(await database.client.notification.count({ where: { event: 'code.pin_rejected' } }), 1);
});

t.test('a full hash queue refunds the attempt', async (t) => {
  const { scan, code, services, database } = await startScans(t);
  const id = await code(SECRET);
  const { verify } = services.pins;
  Object.assign(services.pins, { verify: () => Promise.reject(new Error('full')) });
  t.equal((await scan({ qrCodeId: id, pin: '0012' })).status, 500);
  Object.assign(services.pins, { verify });
  const budgets = await database.client.attemptBudget.findMany({ where: { key: { startsWith: 'pin' } } });
  t.same(
    budgets.map(({ used }) => used),
    [0, 0, 0, 0],
  );
});
