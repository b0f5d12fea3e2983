import { randomUUID } from 'node:crypto';
import { generateId } from '../../src/shared/ids.ts';
import { FAKE_SIGNATURE, type FakeProvider } from '../features/billing/payments/fake-provider.ts';
import { FAMILY_PACKAGE_ID, PERSONAL_PACKAGE_ID } from '../features/billing/subscriptions/shop-helper.ts';
import { createTestPdf, uploadDocument } from '../features/documents/upload.ts';
import { generateTotpCode, generateUnusedTotpCode } from '../features/identity/second-factor/helper.ts';
import { TAKEDOWN } from '../features/moderation/helper.ts';
import { TEST_PASSWORD, type TestApp, type TestResponse } from '../helper.ts';

type Answers = AsyncGenerator<[operationId: string, answer: TestResponse]>;

/** Answers of requests that need others before them, which the access matrix does not send. */
export async function* sendExampleRequests(test: TestApp, payments: FakeProvider): Answers {
  const { id, email, accessToken } = await test.createUser({ email: 'grace@example.org' });
  const owner = createSender(test, accessToken);
  const finder = createSender(test);
  const rex = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id: qrCodeId } = (await owner.post('/api/qrcodes', rex)).body;
  yield* sendAccountRequests(test, email);
  yield* sendScanRequests(finder, qrCodeId);
  yield* sendDocumentRequests(test, owner, finder);
  yield* sendCaretakerRequests(test, owner);
  yield* sendPaymentRequests(test, owner, payments);
  await test.database.client.userIdentity.create({
    data: { id: generateId(), userId: id, issuer: 'https://accounts.google.com', subject: '1084', email },
  });
  yield ['accounts.listIdentities', await owner.get('/api/auth/identities')];
  yield* sendAdministrationRequests(test, owner, finder, qrCodeId);
}

async function* sendAccountRequests(test: TestApp, emailOfOther: string): Answers {
  const { call } = test;
  const email = 'ada@example.org';
  await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } });
  const otp = await test.getOtp(email);
  const verified = await call('POST', '/api/auth/verify-otp', { body: { email, otp } });
  yield ['accounts.verifyOtp', verified];
  const { accessToken, refreshToken } = verified.body;
  yield ['accounts.refresh', await call('POST', '/api/auth/refresh-token', { body: { refreshToken } })];
  const user = createSender(test, accessToken);
  const { secret } = (await user.post('/api/auth/mfa/enroll', { password: TEST_PASSWORD })).body;
  yield ['mfa.confirm', await user.post('/api/auth/mfa/confirm', { code: generateTotpCode(secret) })];
  const code = await generateUnusedTotpCode(test, secret);
  yield ['mfa.renewRecoveryCodes', await user.post('/api/auth/mfa/recovery-codes', { code })];
  yield [
    'accounts.logIn',
    await call('POST', '/api/auth/login', { body: { email: emailOfOther, password: TEST_PASSWORD } }),
  ];
}

async function* sendScanRequests(finder: Sender, qrCodeId: string): Answers {
  const { scan, scanToken } = (await finder.post('/api/scans/public', { qrCodeId })).body;
  const headers = { 'x-scan-token': scanToken };
  for (let count = 0; count < 2; count += 1) {
    const position = { latitude: 52.5163, longitude: 13.3777, accuracy: 20 };
    yield [
      'scans.addLocation',
      await finder.post(`/api/scans/public/${scan.id}/location`, position, headers),
    ];
  }
  const message = { scanId: scan.id, message: 'Your dog is with us.', name: 'Lin' };
  const opened = await finder.post('/api/conversations/public', message, headers);
  yield ['conversations.open', opened];
  yield [
    'conversations.endAsFinder',
    await finder.post(`/api/conversations/public/${opened.body.id}/end`, undefined, {
      'x-conversation-token': opened.body.conversationToken,
    }),
  ];
}

async function* sendDocumentRequests(test: TestApp, owner: Sender, finder: Sender): Answers {
  const document = await uploadDocument(test, owner.token, createTestPdf(), { title: 'Passport' });
  const url = `/api/documents/${document.body.id}`;
  const { token } = (await owner.post(`${url}/shares`, { maxViews: 3 })).body;
  yield ['documents.listShares', await owner.get(`${url}/shares`)];
  const { contentUrl } = (await finder.post(`/api/documents/shared/${token}/open`)).body;
  const { pathname } = new URL(contentUrl);
  yield ['documents.getTicketContent', await finder.get(pathname)];
  yield ['documents.getTicketContent', await finder.get(pathname, { range: 'bytes=0-9' })];
  yield ['documents.listAccesses', await owner.get(`${url}/accesses`)];
}

async function* sendCaretakerRequests(test: TestApp, owner: Sender): Answers {
  const caretaker = await test.createUser();
  const tag = await owner.post('/api/memory-tags', { name: 'Grandmother', bornOn: '1931' });
  await owner.post(`/api/memory-tags/${tag.body.id}/caretakers`, { email: caretaker.email });
  yield [
    'memoryTags.listCaring',
    await createSender(test, caretaker.accessToken).get('/api/memory-tags/caring'),
  ];
  const unused = await owner.post('/api/memory-tags', { name: 'Grandfather' });
  await test.call('DELETE', `/api/memory-tags/${unused.body.id}`, { token: owner.token });
  const since = new Date(Date.now() - 60_000).toISOString();
  yield ['memoryTags.list', await owner.get(`/api/memory-tags?updatedSince=${since}`)];
}

async function* sendPaymentRequests(test: TestApp, owner: Sender, payments: FakeProvider): Answers {
  const checkout = '/api/subscription/checkout-session';
  const choice = { packageId: PERSONAL_PACKAGE_ID, interval: 'month' };
  const { id } = (await owner.post(checkout, choice)).body;
  const { sessionId } = await test.database.client.checkoutSession.findUniqueOrThrow({ where: { id } });
  payments.pay(sessionId ?? '');
  // The next request finds the payment.
  await owner.post(checkout, choice);
  const change = { ...choice, packageId: FAMILY_PACKAGE_ID };
  yield ['subscription.previewChange', await owner.post('/api/subscription/change/preview', change)];
  const event = { id: 'evt_1', kind: 'ping', createdAt: new Date(), subject: null, closure: null };
  const headers = { 'fake-signature': FAKE_SIGNATURE };
  yield ['webhooks.receive', await owner.post(`/api/webhooks/${payments.provider.name}`, event, headers)];
}

async function* sendAdministrationRequests(
  test: TestApp,
  owner: Sender,
  finder: Sender,
  qrCodeId: string,
): Answers {
  const { accessToken } = await test.createUser({ role: 'ADMIN' });
  const admin = createSender(test, accessToken);
  await finder.post(`/api/qrcodes/${qrCodeId}/reports`, { category: 'FRAUD', note: 'It asks for a fee.' });
  const reports = `/api/admin/qrcodes/${qrCodeId}/reports`;
  yield ['admin.listCodeReports', await admin.get(reports)];
  yield ['admin.dismissCodeReports', await admin.post(`${reports}/dismiss`)];
  await admin.post(`/api/admin/qrcodes/${qrCodeId}/takedown`, TAKEDOWN);
  const appeal = await owner.post(`/api/qrcodes/${qrCodeId}/appeals`, { message: 'It was a mistake.' });
  yield ['admin.getAppeal', await admin.get(`/api/admin/qrcode-appeals/${appeal.body.appeals[0].id}`)];
  const emergency = { resourceType: 'QRCODE', resourceId: qrCodeId, reason: 'Paramedics ask for allergies.' };
  for (let count = 0; count < 2; count += 1)
    yield ['admin.requestBreakGlass', await admin.post('/api/admin/break-glass', emergency)];
  const grants = await admin.get('/api/admin/break-glass');
  yield ['admin.listBreakGlassGrants', grants];
  const grant = `/api/admin/break-glass/${grants.body.data[0].id}`;
  yield ['admin.endBreakGlass', await test.call('DELETE', grant, { token: admin.token })];
  const jobs = '/api/admin/jobs/failed';
  const [retried, dismissed] = [await insertFailedJob(test), await insertFailedJob(test)];
  yield ['admin.listFailedJobs', await admin.get(jobs)];
  yield ['admin.retryJob', await admin.post(`${jobs}/${retried}/retry`)];
  yield ['admin.dismissJob', await test.call('DELETE', `${jobs}/${dismissed}`, { token: admin.token })];
}

interface Sender {
  token: string | undefined;
  get(url: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(url: string, body?: object, headers?: Record<string, string>): Promise<TestResponse>;
}

function createSender({ call }: TestApp, token?: string): Sender {
  return {
    token,
    get: (url, headers = {}) => call('GET', url, { token, headers }),
    post: (url, body, headers = {}) => call('POST', url, { token, body, headers }),
  };
}

/** Insert a job whose data names no record, so that a retry has nothing to do. */
async function insertFailedJob({ database }: TestApp): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO pgboss.job (name, data, state, retry_limit, retry_count, started_on, completed_on, keep_until, output)
     VALUES ('export-data', $1, 'failed', 3, 3, now(), now(), now() + interval '1 day', '{"name": "ECONNREFUSED"}')
     RETURNING id`,
    [{ exportId: randomUUID() }],
  );
  return rows[0]?.id ?? '';
}
