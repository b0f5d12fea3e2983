import { generateAbsentId, startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

const PATH = '/app/staff/break-glass';
const HOSTILE = '<img src=x onerror=alert(1)> the owner is unconscious';

async function createCode({ call }: TestApp, owner: TestUser): Promise<string> {
  const { body } = await call('POST', '/api/qrcodes', {
    token: owner.accessToken,
    body: { kind: 'MEDICAL', title: 'Bracelet <b>', data: { name: 'Uma', notes: 'penicillin <script>' } },
  });
  return body.id;
}

t.test('an administrator opens a code with a reason, for minutes, and its owner is told', async (t) => {
  const test = await startTestApp(t);
  const owner = await test.createUser();
  const browser = await signInBrowser(test, await test.createUser({ role: 'ADMIN' }));
  const id = await createCode(test, owner);
  const record = `${PATH}/codes/${id}`;
  t.equal((await browser.open(record)).status, 404, 'not without emergency access');
  await browser.open(PATH);
  t.match(browser.main, 'Nobody has used emergency access.');
  t.match(browser.main, 'Its owner gets an email at once', 'what will happen is said before');

  const missing = { resourceType: 'QRCODE', resourceId: generateAbsentId(), reason: HOSTILE };
  const denied = await captureAuditEntries(test, () => browser.send('/break-glass', missing));
  t.match(denied, [{ action: 'ACCESS_DENIED' }, { action: 'BREAK_GLASS_GRANTS_LISTED' }]);
  const trail = await captureAuditEntries(test, () =>
    browser.send('/break-glass', { resourceType: 'QRCODE', resourceId: ` ${id} `, reason: HOSTILE }),
  );
  t.match(trail, [
    { action: 'BREAK_GLASS_OPENED', severity: 'CRITICAL' },
    { action: 'BREAK_GLASS_QRCODE_READ', severity: 'CRITICAL', resourceId: id },
  ]);
  t.equal(browser.path, record);
  t.match(browser.main, 'penicillin');
  t.match(browser.main, 'Each time you open this page, it is recorded.');
  t.notMatch(browser.page.text, '<script>');
  t.notMatch(browser.page.text, /<title>[^<]*Bracelet/);
  t.match(browser.page.headers, { 'cache-control': 'no-store' });
  t.ok(await test.getMailBySubject(owner.email, /emergency/i));

  await browser.open(PATH);
  t.match(browser.main, /Open for \d+ more minutes, until/);
  t.match(browser.main, 'the owner is unconscious');
  t.notMatch(browser.page.text, '<img src=x');
  t.match(browser.main, `href="${record}"`);
  await test.database.client.breakGlassGrant.updateMany({
    data: { createdAt: new Date(0), expiresAt: new Date(1) },
  });
  await browser.open(PATH);
  t.notMatch(browser.main, 'more minutes');
  t.notMatch(browser.main, `href="${record}"`);
  t.equal((await browser.open(record)).status, 404, 'access ends by itself');
});

t.test('a code is named by what is printed: its address, or its short number', async (t) => {
  const test = await startTestApp(t);
  const owner = await test.createUser();
  const browser = await signInBrowser(test, await test.createUser({ role: 'ADMIN' }));
  const id = await createCode(test, owner);
  const { body } = await test.call('GET', `/api/qrcodes/${id}`, { token: owner.accessToken });
  for (const resourceId of [body.scanUrl, body.shortNumber.toLowerCase()]) {
    await browser.open(PATH);
    await browser.send('/break-glass', { resourceType: 'QRCODE', resourceId, reason: HOSTILE });
    t.equal(browser.path, `${PATH}/codes/${id}`, resourceId);
  }
  for (const resourceId of ['https://qr.example.org/', '7K3M-9QXR-2F4J', '<b>']) {
    await browser.open(PATH);
    await browser.send('/break-glass', { resourceType: 'QRCODE', resourceId, reason: HOSTILE });
    t.equal(browser.page.status, 400, resourceId);
    t.match(browser.main, 'id="resourceId-error"');
  }
});

t.test('access is ended before its time, from the record or the list', async (t) => {
  const test = await startTestApp(t);
  const owner = await test.createUser();
  const browser = await signInBrowser(test, await test.createUser({ role: 'ADMIN' }));
  const id = await createCode(test, owner);
  const fields = { resourceType: 'QRCODE', resourceId: id, reason: 'Ambulance called' };
  await browser.open(PATH);
  await browser.send('/break-glass', fields);
  const trail = await captureAuditEntries(test, () => browser.send('/end'));
  t.match(trail, [{ action: 'BREAK_GLASS_ENDED', resourceId: id }, { action: 'BREAK_GLASS_GRANTS_LISTED' }]);
  t.match(browser.main, 'Access has ended.');
  t.equal(browser.findForm('/end'), null);
  t.equal((await browser.open(`${PATH}/codes/${id}`)).status, 404);
  await browser.open(PATH);
  await browser.send('/break-glass', fields);
  const other = await signInBrowser(test, await test.createUser({ role: 'ADMIN' }));
  await other.open(PATH);
  await other.send('/end');
  t.equal((await browser.open(`${PATH}/codes/${id}`)).status, 404, 'by another administrator');
});

t.test('an administrator opens the exact place of a scan', async (t) => {
  const test = await startTestApp(t);
  const owner = await test.createUser();
  const browser = await signInBrowser(test, await test.createUser({ role: 'ADMIN' }));
  const id = await createCode(test, owner);
  const scan = await test.call('POST', '/api/scans/geocoded?type=guest', {
    body: { qrCodeId: id, latitude: 48.137154, longitude: 11.576124 },
  });
  const scanId: string = scan.body.scan.id;
  const path = `${PATH}/scans/${scanId}`;
  t.equal((await browser.open(path)).status, 404);
  await browser.open(PATH);
  await browser.send('/break-glass', {
    resourceType: 'SCAN',
    resourceId: scanId,
    reason: 'The child is missing',
  });
  t.equal(browser.path, path);
  t.match(browser.main, '48.137154');
});

t.test('a request without a reason or a record is refused at its field', async (t) => {
  const test = await startTestApp(t);
  const browser = await signInBrowser(test, await test.createUser({ role: 'ADMIN' }));
  await browser.open(PATH);
  await browser.send('/break-glass', { resourceType: 'QRCODE', resourceId: '', reason: '' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="resourceId-error"/);
  t.match(browser.main, /id="reason-error"/);
  await browser.send('/break-glass', { resourceId: generateAbsentId(), reason: '!!!!!!!!!!!!' });
  t.match(browser.main, /id="reason-error">This is too short/);
  const reason = 'A real emergency';
  await browser.send('/break-glass', { resourceId: generateAbsentId(), reason });
  t.equal(browser.page.status, 404);
  t.match(browser.main, /id="resourceId-error"/);
  t.match(browser.main, reason, 'nothing has to be typed twice');
});

t.test('auditors see who had access and why, and cannot have it', async (t) => {
  const test = await startTestApp(t);
  const owner = await test.createUser();
  const admin = await test.createUser({ role: 'ADMIN' });
  const id = await createCode(test, owner);
  await test.call('POST', '/api/admin/break-glass', {
    token: admin.accessToken,
    body: { resourceType: 'QRCODE', resourceId: id, reason: 'Ambulance called' },
  });
  const browser = await signInBrowser(test, await test.createUser({ role: 'AUDITOR' }));
  const trail = await captureAuditEntries(test, () => browser.open(PATH));
  t.match(trail, [{ action: 'BREAK_GLASS_GRANTS_LISTED' }]);
  t.match(browser.main, 'Ambulance called');
  t.match(browser.main, admin.id);
  t.equal(browser.findForm('/break-glass'), null);
  t.equal(browser.findForm('/end'), null);
  t.equal((await browser.open(`${PATH}/codes/${id}`)).status, 404);
  const support = await signInBrowser(test, await test.createUser({ role: 'SUPPORT' }));
  t.equal((await support.open(PATH)).status, 404);
});
