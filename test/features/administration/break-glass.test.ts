import { generateAbsentId, startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries, insertTestQrCode } from '../audit-trail-helper.ts';

const REASON = 'Unconscious patient in Oslo, case 471108155512';

async function createFixture(test: TestApp) {
  const { call } = test;
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const second = await test.createUser({ email: 'second@example.org', role: 'ADMIN' });
  const ada = await test.createUser();
  const code = await call('POST', '/api/qrcodes', {
    token: ada.accessToken,
    body: {
      kind: 'MEDICAL',
      title: 'Ada',
      data: { name: 'Ada', allergies: [{ name: 'canary-penicillin' }] },
    },
  });
  const scanned = await call('POST', '/api/scans/geocoded?type=guest', {
    body: { qrCodeId: code.body.id, latitude: 48.85837, longitude: 2.294481 },
  });
  return { root, second, ada, codeId: code.body.id as string, scanId: scanned.body.scan.id as string };
}

t.test(
  'an administrator reads content only by break-glass: one record, a CRITICAL entry, a mail to the owner',
  async (t) => {
    const test = await startTestApp(t);
    const { call, database, getMailBySubject, log } = test;
    const { root, second, ada, codeId, scanId } = await createFixture(test);
    const read = (token: string) => call('GET', `/api/qrcodes/${codeId}`, { token });
    t.equal((await read(root.accessToken)).status, 404, 'without a grant');

    let id = '';
    const trail = await captureAuditEntries(test, async () => {
      const opened = await call('POST', '/api/admin/break-glass', {
        token: root.accessToken,
        body: { resourceType: 'QRCODE', resourceId: codeId, reason: REASON },
      });
      t.equal(opened.status, 201, opened.text);
      id = opened.body.id;
      const left = Date.parse(opened.body.expiresAt) - Date.now();
      t.ok(left > 14 * 60_000 && left <= 15 * 60_000, 'the grant ends after 15 minutes');
      const revealed = await read(root.accessToken);
      t.equal(revealed.status, 200, revealed.text);
      t.equal(revealed.body.data.allergies[0].name, 'canary-penicillin');
    });
    t.same(
      trail.map(({ action, severity, resourceId }) => [action, severity, resourceId]),
      [
        ['BREAK_GLASS_OPENED', 'CRITICAL', codeId],
        ['BREAK_GLASS_QRCODE_READ', 'CRITICAL', codeId],
      ],
    );
    t.equal((await read(second.accessToken)).status, 404, 'another administrator has no access');
    const change = { token: root.accessToken, body: { title: 'mine' } };
    t.equal((await call('PUT', `/api/qrcodes/${codeId}`, change)).status, 404, 'the grant allows no changes');
    t.equal((await call('DELETE', `/api/qrcodes/${codeId}`, { token: root.accessToken })).status, 404);
    const scan = await call('GET', `/api/scans/${scanId}`, { token: root.accessToken });
    t.equal(scan.body.location.latitude, null, 'the grant does not include other records');

    const { body } = await call('GET', '/api/notifications', { token: ada.accessToken });
    t.match(
      body.data.filter(({ event }: { event: string }) => event === 'break_glass.opened'),
      [{ type: 'ALERT', data: { qrCodeId: codeId } }],
    );
    const mail = await getMailBySubject(ada.email, /administrator has emergency access/);
    t.ok(mail);
    t.notMatch(mail?.text, /471108155512|Oslo|penicillin|Ada/, 'neither reason nor content');
    const stored = await database.client.breakGlassGrant.findUniqueOrThrow({ where: { id } });
    t.notMatch(Buffer.from(stored.reason).toString('latin1'), /471108155512|Oslo/, 'the reason is encrypted');
    t.notMatch(log.join('\n'), /471108155512|Oslo|penicillin/);

    await database.client.breakGlassGrant.updateMany({
      data: { createdAt: new Date(Date.now() - 16 * 60_000), expiresAt: new Date(Date.now() - 1) },
    });
    t.equal((await read(root.accessToken)).status, 404, 'an expired grant gives no access');
  },
);

t.test(
  'break-glass also shows the exact position of a scan, but not to a demoted administrator',
  async (t) => {
    const test = await startTestApp(t);
    const { call } = test;
    const { root, second, scanId } = await createFixture(test);
    const read = () => call('GET', `/api/scans/${scanId}`, { token: root.accessToken });
    t.equal((await read()).body.location.latitude, null);
    await call('POST', '/api/admin/break-glass', {
      token: root.accessToken,
      body: { resourceType: 'SCAN', resourceId: scanId, reason: REASON },
    });
    const trail = await captureAuditEntries(test, async () =>
      t.equal((await read()).body.location.latitude, 48.85837),
    );
    t.match(trail, [{ action: 'BREAK_GLASS_SCAN_READ', severity: 'CRITICAL', resourceId: scanId }]);
    await call('PATCH', `/api/admin/users/${root.id}`, { token: second.accessToken, body: { role: 'USER' } });
    t.notOk('location' in (await read()).body, 'only public fields');
  },
);

t.test('any administrator ends emergency access before its time, and it stays on record', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const { root, second, ada, codeId } = await createFixture(test);
  const { body: grant } = await call('POST', '/api/admin/break-glass', {
    token: root.accessToken,
    body: { resourceType: 'QRCODE', resourceId: codeId, reason: REASON },
  });
  const read = async () => (await call('GET', `/api/qrcodes/${codeId}`, { token: root.accessToken })).status;
  const end = ({ accessToken: token }: { accessToken: string }) =>
    call('DELETE', `/api/admin/break-glass/${grant.id}`, { token });
  t.equal((await end(ada)).status, 403);
  t.equal(await read(), 200);
  const trail = await captureAuditEntries(test, async () => {
    t.match(await end(second), { status: 200, body: { id: grant.id, deleted: true } });
  });
  t.match(trail, [{ action: 'BREAK_GLASS_ENDED', severity: 'HIGH', resourceId: codeId }]);
  t.equal(await read(), 404);
  t.equal((await end(second)).status, 404, 'it has ended');
  const auditor = await test.createUser({ role: 'AUDITOR' });
  const { body } = await call('GET', '/api/admin/break-glass', { token: auditor.accessToken });
  t.match(body.data, [{ id: grant.id, administratorId: root.id, reason: REASON }]);
});

t.test('break-glass requires a reason, which only auditors can read', async (t) => {
  const test = await startTestApp(t);
  const { call } = test;
  const { root, ada, codeId } = await createFixture(test);
  const open = (token: string, body: object) => call('POST', '/api/admin/break-glass', { token, body });
  const right = { resourceType: 'QRCODE', resourceId: codeId, reason: REASON };
  for (const wrong of [
    { reason: '' },
    { reason: 'short' },
    { reason: ' '.repeat(10) },
    { reason: '\u00a0'.repeat(12) },
    { reason: '\u200b'.repeat(12) },
    { reason: '.'.repeat(40) },
    { reason: 'too   few      ' },
    { reason: undefined },
    { resourceType: 'USER' },
    { resourceId: 'x' },
  ]) {
    t.equal((await open(root.accessToken, { ...right, ...wrong })).status, 400, JSON.stringify(wrong));
  }
  t.equal((await open(root.accessToken, { ...right, resourceId: '0'.repeat(24) })).status, 404);
  t.equal((await open(root.accessToken, right)).status, 201);
  const auditor = await test.createUser({ role: 'AUDITOR' });
  const trail = await captureAuditEntries(test, async () => {
    const { body } = await call('GET', '/api/admin/break-glass', { token: auditor.accessToken });
    t.match(body.data, [{ administratorId: root.id, accountId: ada.id, resourceId: codeId, reason: REASON }]);
  });
  t.match(trail, [{ action: 'BREAK_GLASS_GRANTS_LISTED', severity: 'HIGH' }]);
});

t.test('parallel requests with one idempotency key open one break-glass grant', async (t) => {
  const test = await startTestApp(t);
  const { call, database } = test;
  const { root, codeId } = await createFixture(test);
  const body = { resourceType: 'QRCODE', resourceId: codeId, reason: REASON };
  const headers = { 'idempotency-key': 'emergency-in-oslo-4711' };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      call('POST', '/api/admin/break-glass', { token: root.accessToken, body, headers }),
    ),
  );
  t.same(new Set(answers.map(({ status }) => status)), new Set([201]));
  t.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
  t.equal(await database.client.breakGlassGrant.count(), 1);
});

t.test(
  'repeated requests return the open grant: one mail, and an audit entry for each request',
  async (t) => {
    const test = await startTestApp(t);
    const { call, database, getMailBySubject } = test;
    const { root, second, ada, codeId, scanId } = await createFixture(test);
    const open = (token: string, of: object = {}, headers = {}) =>
      call('POST', '/api/admin/break-glass', {
        token,
        body: { resourceType: 'QRCODE', resourceId: codeId, reason: REASON, ...of },
        headers,
      });
    for (let round = 1; round <= 3; round += 1) {
      const trail = await captureAuditEntries(test, async () => {
        const answers = await Promise.all(Array.from({ length: 6 }, () => open(root.accessToken)));
        t.same(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201], `round ${round}`);
        t.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
        t.equal(new Set(answers.map(({ body }) => body.expiresAt)).size, 1);
      });
      t.same(trail.map(({ action }) => action).sort(), [
        'BREAK_GLASS_OPENED',
        ...Array.from({ length: 5 }, () => 'BREAK_GLASS_REQUESTED_AGAIN'),
      ]);
      t.equal(await database.client.breakGlassGrant.count(), round);
      const over = { createdAt: new Date(Date.now() - 16 * 60_000), expiresAt: new Date(Date.now() - 1) };
      await database.client.breakGlassGrant.updateMany({ data: over });
    }
    t.equal((await open(root.accessToken)).status, 201, 'a new grant after expiry');
    t.equal((await open(second.accessToken)).status, 201, 'another administrator gets a separate grant');
    t.equal((await open(root.accessToken, { resourceType: 'SCAN', resourceId: scanId })).status, 201);
    t.equal(await database.client.breakGlassGrant.count(), 6);
    const key = { 'idempotency-key': 'asked-again-with-a-key' };
    for (let times = 1; times <= 2; times += 1)
      t.equal(
        (await open(root.accessToken, {}, key)).status,
        200,
        'an open grant is also returned for a request with an idempotency key',
      );

    await getMailBySubject(ada.email, /administrator has emergency access/);
    const notified = await database.client.notification.count({ where: { event: 'break_glass.opened' } });
    t.equal(notified, 6, 'the owner is notified once for each grant');
    t.equal(await database.client.outgoingMail.count({ where: { template: 'BREAK_GLASS_OPENED' } }), 6);
  },
);

t.test('an administrator can open 20 break-glass grants an hour; further requests are denied', async (t) => {
  const test = await startTestApp(t);
  const { call, database } = test;
  const { root, second, ada } = await createFixture(test);
  const ids: string[] = [];
  for (let index = 0; index < 26; index += 1)
    ids.push(await insertTestQrCode(test, ada.id, { id: generateAbsentId() }));
  const open = (token: string, resourceId: string | undefined) =>
    call('POST', '/api/admin/break-glass', {
      token,
      body: { resourceType: 'QRCODE', resourceId, reason: REASON },
    });
  const trail = await captureAuditEntries(test, async () => {
    const answers = await Promise.all(ids.slice(0, 25).map((id) => open(root.accessToken, id)));
    const refused = answers.filter(({ status }) => status === 429);
    t.equal(answers.filter(({ status }) => status === 201).length, 20);
    t.equal(refused.length, 5);
    for (const { body, headers } of refused) {
      t.equal(body.code, 'RATE_LIMITED');
      t.ok(Number(headers['retry-after']) > 60);
    }
  });
  t.equal(trail.filter(({ outcome }) => outcome === 'DENIED').length, 5);
  t.ok(trail.every(({ action }) => action === 'BREAK_GLASS_OPENED'));
  t.equal(await database.client.breakGlassGrant.count(), 20);
  const grant = await database.client.breakGlassGrant.findFirstOrThrow();
  t.equal((await open(root.accessToken, grant.resourceId)).status, 200, 'an open grant is still returned');
  t.equal(
    (await open(second.accessToken, ids[25])).status,
    201,
    'another administrator has a separate limit',
  );
});
