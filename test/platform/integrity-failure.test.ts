import { createSendMailJob } from '../../src/features/mail/send-mail.job.ts';
import { GUEST_BOOK_ENTRY } from '../../src/features/memory-tags/guest-book-content.ts';
import { createPushOutbox } from '../../src/features/notifications/push/push-outbox.ts';
import { createSendPushJob } from '../../src/features/notifications/push/send-push.job.ts';
import { encryptPositionAddress } from '../../src/features/scans/scan-position.ts';
import { ENCRYPTED_COLUMNS } from '../../src/platform/encrypted-columns.ts';
import { toIntegrityFailureAuditEntry } from '../../src/platform/integrity-failure.ts';
import { generateId } from '../../src/shared/ids.ts';
import { createBatch } from '../features/codes/batches/batch-helper.ts';
import { uploadDocument } from '../features/documents/upload.ts';
import {
  createProfileForm,
  createTestPhoto,
  findAuditEntries,
  queryDatabase,
} from '../features/identity/accounts/helper.ts';
import {
  enableSecondFactor,
  generateTotpCode,
  getMfaToken,
  verifySecondFactorCode,
} from '../features/identity/second-factor/helper.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import { TestBrowser } from '../features/owner-pages/browser.ts';
import { startTestApp, TEST_PASSWORD, type TestResponse } from '../helper.ts';
import { t } from '../tap.ts';

const test = await startTestApp(t);
const { call, database } = test;
const owner = await test.createUser();
const token = owner.accessToken;
const root = await test.createUser({ role: 'ADMIN' });
await test.getLastMail(root.email);

const MEDICAL = { kind: 'MEDICAL', title: 'Ada', data: { name: 'Ada' } };

async function postOrThrow(url: string, body: object, headers = {}): Promise<TestResponse> {
  const answer = await call('POST', url, { token, body, headers });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
}

async function withAlteredValue(
  table: string,
  column: string,
  rowIdColumn: string,
  rowId: string,
  work: () => Promise<TestResponse>,
) {
  const value = `(SELECT ${column} FROM ${table} WHERE ${rowIdColumn} = $1)`;
  const [row] = await queryDatabase(test, `SELECT ${value} AS bytes`, rowId);
  await queryDatabase(
    test,
    `UPDATE ${table} SET ${column} = set_byte(${column}, length(${column}) - 1, 255 - get_byte(${column}, length(${column}) - 1)) WHERE ${rowIdColumn} = $1`,
    rowId,
  );
  const answer = await work();
  await queryDatabase(
    test,
    `UPDATE ${table} SET ${column} = $2 WHERE ${rowIdColumn} = $1`,
    rowId,
    row?.bytes,
  );
  return answer;
}

interface Case {
  rowId: string;
  open(): Promise<TestResponse>;
}

async function createConversation(): Promise<{ id: string; message: string }> {
  const { id: qrCodeId } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
  const { scan, scanToken } = (await postOrThrow('/api/scans/public', { qrCodeId })).body;
  const body = { scanId: scan.id, message: 'Found.', name: 'Eva', email: 'eva@example.org' };
  const opened = await postOrThrow('/api/conversations/public', body, { 'x-scan-token': scanToken });
  return { id: opened.body.id, message: opened.body.message.id };
}

async function createReportCase(work: (url: string) => Promise<void>): Promise<Case> {
  const body = { category: 'SPAM', note: 'They sell something.' };
  const { id } = await createConversation();
  const { id: rowId } = (await call('POST', `/api/conversations/${id}/report`, { token, body })).body;
  const url = `/api/admin/conversation-reports/${rowId}`;
  await work(url);
  return { rowId, open: () => call('GET', url, { token: root.accessToken }) };
}

async function createTakedownCase(
  getRowId: (takedown: { id: string; appeals: { id: string }[] }) => string | undefined,
): Promise<Case> {
  const { id } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
  const asRoot = { token: root.accessToken };
  await call('POST', `/api/admin/qrcodes/${id}/takedown`, {
    ...asRoot,
    body: { category: 'FRAUD', reason: 'It asks for bank data.' },
  });
  const { body: takedown } = await postOrThrow(`/api/qrcodes/${id}/appeals`, { message: 'It does not.' });
  await call('POST', `/api/admin/qrcode-appeals/${takedown.appeals[0].id}/decision`, {
    ...asRoot,
    body: { decision: 'REJECTED', answer: 'It does.' },
  });
  const rowId = getRowId(takedown) ?? '';
  return { rowId, open: () => call('GET', `/api/qrcodes/${id}/takedown`, { token }) };
}

async function createLocatedScan(): Promise<{ id: string; scan: string }> {
  const { id: qrCodeId } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
  const { scan, scanToken } = (await postOrThrow('/api/scans/public', { qrCodeId })).body;
  const at = { latitude: 48.85837, longitude: 2.294481 };
  const headers = { 'x-scan-token': scanToken };
  const { id } = (await postOrThrow(`/api/scans/public/${scan.id}/location`, at, headers)).body;
  return { id, scan: scan.id };
}

async function setAddress(table: 'scans' | 'scan_locations', id: string): Promise<void> {
  const address = encryptPositionAddress(
    test.services.fieldCipher,
    { id, accountId: owner.id },
    'Somewhere 1',
    table,
  );
  await queryDatabase(test, `UPDATE ${table} SET address = $2 WHERE id = $1`, id, address);
}

async function createWebhookEndpointCase(): Promise<Case> {
  const body = { url: 'https://hooks.example.org/', eventTypes: ['*'] };
  const { id: rowId } = (await postOrThrow('/api/webhook-endpoints', body)).body;
  return { rowId, open: () => call('GET', `/api/webhook-endpoints/${rowId}`, { token }) };
}

async function createRegistrationCase(fields: Record<string, string>, picture?: Buffer): Promise<Case> {
  const email = `${generateId()}@example.org`;
  const form = createProfileForm({ email, password: TEST_PASSWORD, ...fields }, picture);
  const { status, text } = await call('POST', '/api/auth/register', form);
  if (status !== 201) throw new Error(text);
  const otp = await test.getOtp(email);
  const [row] = await queryDatabase(
    test,
    'SELECT id FROM pending_registrations ORDER BY created_at DESC LIMIT 1',
  );
  return { rowId: row?.id, open: () => call('POST', '/api/auth/verify-otp', { body: { email, otp } }) };
}

/** A request that decrypts each encrypted column, with the record in its path or returned. */
const CASES: Record<string, () => Promise<Case>> = {
  'users.phone': async () => {
    await call('PATCH', `/api/auth/profile/${owner.id}`, { token, body: { phone: '+4915112345678' } });
    return { rowId: owner.id, open: () => call('GET', '/api/auth/me', { token }) };
  },
  'webhook_endpoints.url': createWebhookEndpointCase,
  'webhook_endpoints.secrets': createWebhookEndpointCase,
  'pending_registrations.profile': () => createRegistrationCase({ firstName: 'Ada', lastName: 'L' }),
  'pending_registrations.picture': async () => createRegistrationCase({}, await createTestPhoto()),
  'qr_codes.data': async () => {
    const { id } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
    return { rowId: id, open: () => call('POST', '/api/scans/public', { body: { qrCodeId: id } }) };
  },
  'qr_codes.lost_details': async () => {
    const { id } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
    await postOrThrow(`/api/qrcodes/${id}/lost`, { message: 'Call me' });
    return { rowId: id, open: () => call('GET', `/s/${id}`) };
  },
  'qr_codes.found_details': async () => {
    const { id } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
    await postOrThrow(`/api/qrcodes/${id}/lost`, { message: 'Call me' });
    await postOrThrow(`/api/qrcodes/${id}/found`, {});
    return { rowId: id, open: () => call('DELETE', `/api/qrcodes/${id}/found`, { token }) };
  },
  'scans.position': async () => {
    const { id } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
    const at = { qrCodeId: id, latitude: 48.85837, longitude: 2.294481 };
    const scan = (await postOrThrow('/api/scans/geocoded?type=guest', at)).body.scan.id;
    return { rowId: scan, open: () => call('GET', `/api/scans/${scan}`, { token }) };
  },
  'scan_locations.position': async () => {
    const { id, scan } = await createLocatedScan();
    return { rowId: id, open: () => call('GET', `/api/scans/${scan}`, { token }) };
  },
  'scans.address': async () => {
    const { scan } = await createLocatedScan();
    await setAddress('scans', scan);
    return { rowId: scan, open: () => call('GET', `/api/scans/${scan}`, { token }) };
  },
  'scan_locations.address': async () => {
    const { id, scan } = await createLocatedScan();
    await setAddress('scan_locations', id);
    return { rowId: id, open: () => call('GET', `/api/scans/${scan}`, { token }) };
  },
  'conversations.finder_name': async () => {
    const { id } = await createConversation();
    return { rowId: id, open: () => call('GET', `/api/conversations/${id}`, { token }) };
  },
  'conversations.finder_email': async () => {
    const { id } = await createConversation();
    await database.client.conversation.update({
      where: { id },
      data: { finderEmailConfirmedAt: new Date() },
    });
    const body = { message: 'Thank you.' };
    return { rowId: id, open: () => call('POST', `/api/conversations/${id}/messages`, { token, body }) };
  },
  'guest_book_entries.content': async () => {
    const { id } = (await postOrThrow('/api/memory-tags', { name: 'Erna' })).body;
    const row = { id: generateId(), accountId: owner.id };
    const content = GUEST_BOOK_ENTRY.encrypt(test.services.fieldCipher, row, {
      name: 'Eva',
      message: 'She sang.',
    });
    await database.client.guestBookEntry.create({ data: { ...row, memoryTagId: id, content } });
    return { rowId: row.id, open: () => call('GET', `/api/memory-tags/${id}/guest-book`, { token }) };
  },
  'memory_tag_caretakers.email': async () => {
    const { id } = (await postOrThrow('/api/memory-tags', { name: 'Erna' })).body;
    const url = `/api/memory-tags/${id}/caretakers`;
    const { id: rowId } = (await postOrThrow(url, { email: 'eva@example.org' })).body;
    return { rowId, open: () => call('GET', url, { token }) };
  },
  'invitations.email': async () => {
    const { id } = (await postOrThrow('/api/organizations', { name: 'Shelter' })).body;
    const url = `/api/organizations/${id}/invitations`;
    const { id: rowId } = (await postOrThrow(url, { email: 'eva@example.org', role: 'VIEWER' })).body;
    return { rowId, open: () => call('GET', url, { token }) };
  },
  'conversation_messages.content': async () => {
    const { id, message } = await createConversation();
    return { rowId: message, open: () => call('GET', `/api/conversations/${id}/messages`, { token }) };
  },
  'conversation_notes.content': async () => {
    const { id } = await createConversation();
    const url = `/api/conversations/${id}/notes`;
    const { id: rowId } = (await postOrThrow(url, { text: 'At the gate.' })).body;
    return { rowId, open: () => call('GET', url, { token }) };
  },
  'batch_tags.claim_code': async () => {
    const { tags } = await createBatch(test, owner, { count: 1, claim: 'BY_CODE' });
    const rowId = tags[0]?.qrCodeId;
    const body = { qrCodeId: rowId, name: 'Backpack', claimCode: 'M4TD-81VQ' };
    return { rowId, open: () => call('POST', '/api/claims', { token, body }) };
  },
  'conversation_reports.note': () => createReportCase(async () => {}),
  'conversation_reports.decision_note': () =>
    createReportCase(async (url) => {
      const body = { decision: 'DISMISSED', note: 'Nothing of it.' };
      await call('POST', `${url}/decision`, { token: root.accessToken, body });
    }),
  'qr_code_takedowns.reason': () => createTakedownCase((takedown) => takedown.id),
  'qr_code_appeals.message': () => createTakedownCase((takedown) => takedown.appeals[0]?.id),
  'qr_code_appeals.answer': () => createTakedownCase((takedown) => takedown.appeals[0]?.id),
  'qr_code_reports.note': async () => {
    const { id } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
    await call('POST', `/api/qrcodes/${id}/reports`, { body: { category: 'FRAUD', note: 'A trap.' } });
    const [row] = await queryDatabase(test, 'SELECT id FROM qr_code_reports WHERE qr_code_id = $1', id);
    return {
      rowId: row?.id,
      open: () => call('GET', `/api/admin/qrcodes/${id}/reports`, { token: root.accessToken }),
    };
  },
  'break_glass_grants.reason': async () => {
    const { id: resourceId } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
    const body = { resourceType: 'QRCODE', resourceId, reason: 'unconscious in Oslo' };
    const { id } = (await call('POST', '/api/admin/break-glass', { token: root.accessToken, body })).body;
    return { rowId: id, open: () => call('GET', '/api/admin/break-glass', { token: root.accessToken }) };
  },
  'stored_files.file_key': async () => {
    const { id } = (await uploadDocument(test, token)).body;
    const [row] = await queryDatabase(
      test,
      'SELECT file_id FROM document_versions WHERE document_id = $1',
      id,
    );
    return { rowId: row?.file_id, open: () => call('GET', `/api/documents/${id}/content`, { token }) };
  },
  'documents.note': async () => {
    const { id } = (await uploadDocument(test, token, undefined, { note: 'In the safe' })).body;
    return { rowId: id, open: () => call('GET', `/api/documents/${id}`, { token }) };
  },
  'document_versions.file_name': async () => {
    const { id } = (await uploadDocument(test, token)).body;
    const [row] = await queryDatabase(test, 'SELECT id FROM document_versions WHERE document_id = $1', id);
    return { rowId: row?.id, open: () => call('GET', `/api/documents/${id}/content`, { token }) };
  },
  'document_grants.email': async () => {
    const { id } = (await uploadDocument(test, token)).body;
    const grant = await postOrThrow(`/api/documents/${id}/grants`, { email: 'reader@example.org' });
    return {
      rowId: grant.body.id,
      open: () => call('GET', `/api/documents/${id}/grants`, { token }),
    };
  },
  'second_factors.secret': async () => {
    const { secret } = await enableSecondFactor(test, owner);
    const mfaToken = await getMfaToken(test, owner.email);
    return {
      rowId: owner.id,
      open: () => verifySecondFactorCode(test, { mfaToken, code: generateTotpCode(secret, 1) }),
    };
  },
  'code_drafts.content': async () => {
    const browser = new TestBrowser(test);
    await browser.open('/app/start/text');
    await browser.fill('/start/text', { 'data.text': 'Water me' });
    const [row] = await queryDatabase(test, 'SELECT id FROM code_drafts');
    return { rowId: row?.id, open: () => browser.open('/app/start/text') };
  },
  'code_drafts.picture': async () => {
    const browser = new TestBrowser(test);
    await browser.open('/app/start/pet');
    await browser.fill('/start/pet', { 'data.name': 'Rex', 'data.owner.name': 'Anna' });
    const { action, fields } = browser.readForm('/photo');
    const { body, headers } = createPictureForm(ONE_PIXEL_PNG, fields);
    await browser.open(action, { method: 'POST', body, type: headers['content-type'] });
    const [row] = await queryDatabase(test, 'SELECT id FROM code_drafts WHERE picture IS NOT NULL');
    return { rowId: row?.id, open: () => browser.open('/app/start/photo') };
  },
  'idempotency_keys.response': async () => {
    const headers = { 'idempotency-key': generateId() };
    await postOrThrow('/api/qrcodes', MEDICAL, headers);
    const [row] = await queryDatabase(
      test,
      'SELECT id FROM idempotency_keys ORDER BY expires_at DESC LIMIT 1',
    );
    return { rowId: row?.id, open: () => call('POST', '/api/qrcodes', { token, body: MEDICAL, headers }) };
  },
};

const BY_JOB = {
  mail: 'outgoing_mails.content',
  cell: 'geocoded_cells.place',
  push: 'push_devices.token',
};

t.test('every value that fails to decrypt leaves a CRITICAL entry naming its record', async (t) => {
  const names = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  t.same(
    [...Object.keys(CASES), ...Object.values(BY_JOB)].sort(),
    names.toSorted(),
    'every encrypted column',
  );
  for (const { table, column, rowId: idColumn, resourceType } of ENCRYPTED_COLUMNS) {
    const name = `${table}.${column}`;
    const prepared = await CASES[name]?.();
    if (!prepared) continue;
    const before = await findAuditEntries(test, 'DATA_INTEGRITY_FAILED');
    test.log.length = 0;
    const answer = await withAlteredValue(table, column, idColumn, prepared.rowId, prepared.open);
    const isList = [
      'break_glass_grants.reason',
      'conversation_messages.content',
      'conversation_notes.content',
      'conversations.finder_name',
      'guest_book_entries.content',
    ].includes(name);
    t.equal(answer.status, isList ? 200 : 500, `${name}: ${answer.text}`);
    if (!isList)
      t.notMatch(answer.text, `${prepared.rowId}|${table}`, 'the response does not name the record');
    const [entry, ...more] = (await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).slice(before.length);
    t.same(more, [], name);
    const [actor] = await queryDatabase(
      test,
      'SELECT reference FROM audit_actors WHERE user_id = $1',
      owner.id,
    );
    t.match(
      entry,
      {
        severity: 'CRITICAL',
        outcome: 'FAILURE',
        resourceType: resourceType,
        resourceId: resourceType === 'USER' ? actor?.reference : prepared.rowId,
        changes: [name],
      },
      name,
    );
    const logged = test.log.filter((line) => line.includes(`"column":"${column}"`));
    t.equal(logged.length, 1, `the log names ${name} once`);
  }
});

t.test('a column without a resource type is audited as SYSTEM', async (t) => {
  t.match(toIntegrityFailureAuditEntry({ table: 'a', column: 'b', rowId: 'c' }), {
    resourceType: 'SYSTEM',
    resourceId: 'c',
    changes: ['a.b'],
  });
});

t.test('one undecryptable reason does not hide the others', async (t) => {
  const ids: string[] = [];
  for (const reason of ['reason number one', 'reason number two', 'reason number three']) {
    const { id: resourceId } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
    const body = { resourceType: 'QRCODE', resourceId, reason };
    ids.push((await call('POST', '/api/admin/break-glass', { token: root.accessToken, body })).body.id);
  }
  const [, middle = ''] = ids;
  const list = () => call('GET', '/api/admin/break-glass?limit=3', { token: root.accessToken });
  // Entries of one second have no order.
  const readReasons = (answer: TestResponse) =>
    ids.map((id) => {
      const row = answer.body.data.find((one: { id: string }) => one.id === id);
      return [row?.reason, row?.reasonUnreadable];
    });
  t.same(readReasons(await list()), [
    ['reason number one', false],
    ['reason number two', false],
    ['reason number three', false],
  ]);
  const answer = await withAlteredValue('break_glass_grants', 'reason', 'id', middle, list);
  t.equal(answer.status, 200, answer.text);
  t.same(readReasons(answer), [
    ['reason number one', false],
    [null, true],
    ['reason number three', false],
  ]);
});

t.test('an altered code gives an error page and an audit entry, also over the rate limit', async (t) => {
  const { id } = (await postOrThrow('/api/qrcodes', MEDICAL)).body;
  for (let index = 0; index < 300; index += 1)
    await call('HEAD', `/s/${id}`, { remoteAddress: '198.51.100.9' });
  const before = (await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).length;
  const openPage = () => call('GET', `/s/${id}`, { remoteAddress: '198.51.100.9' });
  t.match((await openPage()).text, 'Ada');
  t.equal((await withAlteredValue('qr_codes', 'data', 'id', id, openPage)).status, 500);
  const entries = (await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).slice(before);
  t.match(entries, [{ resourceType: 'QRCODE', resourceId: id }]);
  t.equal(entries.length, 1);
});

t.test('an undecryptable mail is audited once, retried, and given up in the end', async (t) => {
  const { services } = test;
  await services.jobs.stop();
  const before = (await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).length;
  await database.transaction((tx) =>
    services.mailOutbox.enqueue(tx, { template: 'PASSWORD_CHANGED', to: 'ada@example.org', values: {} }),
  );
  const [row] = await queryDatabase(test, "SELECT id, content FROM outgoing_mails WHERE status = 'WAITING'");
  const sent: string[] = [];
  const mailProvider = {
    ...services.mailProvider,
    send: async ({ to }: { to: string }) => void sent.push(to),
  };
  const job = createSendMailJob({
    ...services,
    mailProvider,
    mailFrom: 'a@example.org',
    mailDomain: 'example.org',
  });
  const state = async () =>
    (await queryDatabase(test, 'SELECT * FROM outgoing_mails WHERE id = $1', row?.id))[0];
  await queryDatabase(test, "UPDATE outgoing_mails SET content = '\\x00' WHERE id = $1", row?.id);
  for (let time = 0; time < 3; time += 1)
    await t.rejects(job({ mailId: row?.id }), { code: 'DATA_INTEGRITY' });
  const entries = (await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).slice(before);
  t.match(entries, [
    {
      severity: 'CRITICAL',
      resourceType: 'SYSTEM',
      resourceId: row?.id,
      changes: [BY_JOB.mail],
      operation: 'mail',
      actorReference: null,
    },
  ]);
  t.equal(entries.length, 1, 'once');
  t.match(await state(), { status: 'WAITING', attempts: 3, reason: 'DATA_INTEGRITY' });
  await queryDatabase(test, 'UPDATE outgoing_mails SET content = $2 WHERE id = $1', row?.id, row?.content);
  await queryDatabase(test, 'UPDATE outgoing_mails SET attempts = 8 WHERE id = $1', row?.id);
  await queryDatabase(test, "UPDATE outgoing_mails SET content = '\\x00' WHERE id = $1", row?.id);
  await job({ mailId: row?.id });
  t.match(await state(), { status: 'FAILED', content: null, reason: 'DATA_INTEGRITY' });
  t.same(sent, []);
});

t.test(
  'a device with an undecryptable token is audited once, retried a few times, and given up in the end',
  async (t) => {
    const { services } = test;
    await services.jobs.stop();
    const device = { token: 'fcm:a-device-of-the-owner', platform: 'WEB' };
    const { id } = (await postOrThrow('/api/notifications/devices', device)).body;
    const notificationId = generateId();
    const of = { userId: owner.id, notificationId };
    const sent: string[] = [];
    const push = {
      name: 'test',
      send: async ({ token }: { token: string }) => void sent.push(token),
      close() {},
    };
    await database.transaction(async (tx) => {
      const row = {
        id: notificationId,
        key: notificationId,
        userId: owner.id,
        accountId: owner.id,
        type: 'SYSTEM',
        event: 'login.created',
      };
      await tx.notification.create({ data: row });
      await createPushOutbox({ ...services, push: {} }).post(tx, of);
    });
    const job = createSendPushJob({ ...services, push });
    const state = async () =>
      (
        await queryDatabase(
          test,
          'SELECT * FROM notification_deliveries WHERE notification_id = $1',
          notificationId,
        )
      )[0];
    const { id: deliveryId } = await state();
    const before = (await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).length;
    const [row] = await queryDatabase(test, 'SELECT token FROM push_devices WHERE id = $1', id);
    await queryDatabase(test, "UPDATE push_devices SET token = '\\x00' WHERE id = $1", id);
    for (let time = 0; time < 3; time += 1) await t.rejects(job({ deliveryId }), { code: 'DATA_INTEGRITY' });
    const entries = (await findAuditEntries(test, 'DATA_INTEGRITY_FAILED')).slice(before);
    t.match(entries, [{ severity: 'CRITICAL', resourceId: id, changes: [BY_JOB.push], operation: 'push' }]);
    t.equal(entries.length, 1, 'once');
    t.match(await state(), { status: 'WAITING', attempts: 3, reason: 'DATA_INTEGRITY' });
    await queryDatabase(test, 'UPDATE notification_deliveries SET attempts = 8 WHERE id = $1', deliveryId);
    await job({ deliveryId });
    t.match(await state(), { status: 'FAILED', reason: 'DATA_INTEGRITY' });
    t.same(sent, []);
    await queryDatabase(test, 'UPDATE push_devices SET token = $2 WHERE id = $1', id, row?.token);
    await queryDatabase(
      test,
      "UPDATE notification_deliveries SET status = 'WAITING' WHERE id = $1",
      deliveryId,
    );
    await job({ deliveryId });
    t.same(sent, [device.token], 'decrypts again after the value is restored');
  },
);
