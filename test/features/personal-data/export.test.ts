import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import sharp from 'sharp';
import { GUEST_BOOK_ENTRY } from '../../../src/features/memory-tags/guest-book-content.ts';
import { createPersonalDataFeature } from '../../../src/features/personal-data/index.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createTestPdf, sendMultipartForm, uploadDocument } from '../documents/upload.ts';
import { createPictureWithMetadata } from '../files/pictures/hostile-pictures.ts';
import { createProfileForm, createTestPhoto, isProblem, listMailsTo } from '../identity/accounts/helper.ts';
import { createPictureForm } from '../memory-tags/gallery-helper.ts';
import { BERLIN_POSITION, startScans } from '../scans/helper.ts';
import { backdateSessions, fetchBytes, readExportData, readZip } from './helper.ts';

const EXPORT = '/api/auth/export';

const test = await startScans(t);

/** Validate data.json by the schema beside it. */
function schemaErrors(files: ReadonlyMap<string, Buffer>, data: unknown) {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(files.get('data.schema.json')?.toString('utf8') ?? ''));
  return validate(data) ? [] : validate.errors;
}

t.test('the archive contains all data of the user, and no visitor’s address', async (t) => {
  const { owner, call, code, database } = test;
  const token = owner.accessToken;
  const { body, headers } = createProfileForm(
    { firstName: 'Grace', phone: '+4930123456' },
    await createTestPhoto(),
  );
  const put = await call('PUT', `/api/auth/profile/${owner.id}`, { token, body, headers });
  t.equal(put.status, 200, put.text);
  const pet = await code({ data: { name: 'Rex', species: 'Dog', notes: 'Bites postmen' }, pin: '4711' });
  const medical = await code({ kind: 'MEDICAL', title: 'Bracelet', data: { name: 'G', bloodType: 'A+' } });
  const gone = await code({ title: 'Old collar' });
  await call('DELETE', `/api/qrcodes/${gone}`, { token });
  await call('POST', `/api/qrcodes/${pet}/lost`, { token, body: { message: 'Please call' } });
  const stranger = await test.createUser();
  const theirs = await code({ title: 'Suitcase' }, stranger);
  await call('POST', '/api/scans', { token, body: { qrCodeId: theirs } });
  await call('POST', '/api/scans/geocoded?type=guest', {
    body: { qrCodeId: pet, ...BERLIN_POSITION },
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': 'Finder’s phone'.replace('’', "'") },
  });
  const grandmother = {
    name: 'Grandmother',
    story: 'She sang.',
    bornOn: '1931',
    places: [{ label: 'Here' }],
  };
  const tag = await call('POST', '/api/memory-tags', { token, body: grandmother });
  const helper = { email: 'helper@example.org' };
  await call('POST', `/api/memory-tags/${tag.body.id}/caretakers`, { token, body: helper });
  const entry = { id: generateId(), accountId: owner.id };
  const written = GUEST_BOOK_ENTRY.encrypt(test.services.fieldCipher, entry, {
    name: 'Eva',
    message: 'We miss her.',
  });
  await database.client.guestBookEntry.create({
    data: { ...entry, memoryTagId: tag.body.id, content: written },
  });
  const grandfather = { name: 'Grandfather' };
  const response = await call('POST', '/api/memory-tags', { token: stranger.accessToken, body: grandfather });
  await call('POST', `/api/memory-tags/${response.body.id}/caretakers`, {
    token: stranger.accessToken,
    body: { email: owner.email },
  });
  const pictured = createPictureForm(await createPictureWithMetadata('jpeg'), { caption: 'In the choir' });
  await call('POST', `/api/memory-tags/${tag.body.id}/pictures`, { token, ...pictured });
  await call('POST', `/api/qrcodes/${pet}/pictures`, { token, ...pictured });
  const made = await uploadDocument(test, token, createTestPdf('one'), {
    note: 'In the safe',
    fileName: 'Päss.pdf',
  });
  const second = { name: 'file', fileName: 'Päss.pdf', value: createTestPdf('two') };
  await sendMultipartForm(test, `/api/documents/${made.body.id}/versions`, token, [second]);

  const shared = await call('POST', `/api/documents/${made.body.id}/shares`, {
    token,
    body: { maxViews: 3 },
  });
  await call('POST', `/api/documents/shared/${shared.body.token}/open`);
  await call('POST', `/api/documents/${made.body.id}/grants`, { token, body: { email: 'heir@example.org' } });
  const lent = await uploadDocument(test, stranger.accessToken, createTestPdf(), { title: 'Lent' });
  const toOwner = { token: stranger.accessToken, body: { email: owner.email } };
  await call('POST', `/api/documents/${lent.body.id}/grants`, toOwner);

  const device = { token: 'fcm:device-of-the-owner', platform: 'WEB', name: 'Browser' };
  await call('POST', '/api/notifications/devices', { token, body: device });

  const key = await call('POST', '/api/api-keys', { token, body: { name: 'ERP', scopes: ['scans:read'] } });

  const answer = await fetchBytes(test, EXPORT, token);
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  t.match(answer.headers, {
    'content-type': 'application/zip',
    'content-disposition': /^attachment; filename="personal-data-\d{4}-\d\d-\d\d\.zip"$/,
    'cache-control': 'no-store',
  });
  const files = await readZip(answer.bytes);
  const data = await readExportData(answer.bytes);
  t.same(schemaErrors(files, data), [], 'matches the schema in the archive');
  t.match(data, { format: 'personal-data', version: 1, package: { code: 'FREE' } });
  t.match(data.profile, { id: owner.id, email: owner.email, firstName: 'Grace', phone: '+4930123456' });
  t.match(data.profile.accounts, [{ id: owner.id, type: 'PERSONAL', name: null, role: 'OWNER' }]);
  t.equal(data.sessions.length, 1);
  t.same(
    data.qrCodes.map(({ id }: { id: string }) => id).sort(),
    [pet, medical, gone].sort(),
    'including codes that can be restored',
  );
  const byId = (id: string) => data.qrCodes.find((one: { id: string }) => one.id === id);
  t.match(byId(pet), { hasPin: true, data: { notes: 'Bites postmen' }, lost: { message: 'Please call' } });
  t.match(byId(medical), { data: { bloodType: 'A+' } });
  t.match(byId(gone), { status: 'DELETED', data: { name: 'Rex' } });
  t.match(data.scansOfYourCodes, [{ qrCodeId: pet, location: BERLIN_POSITION, userAgent: "Finder's phone" }]);
  t.match(data.yourScans, [{ qrCodeId: theirs, type: 'user' }]);
  t.match(data.memoryTags, [
    {
      ...grandmother,
      guestBook: [{ name: 'Eva', message: 'We miss her.', status: 'PENDING' }],
      caretakers: [helper],
    },
  ]);
  t.match(data.memoryTagsCaredFor, [{ memoryTagId: response.body.id, ...grandfather }]);
  t.match(data.documents, [
    { id: made.body.id, note: 'In the safe', versions: [{ number: 1 }, { number: 2 }] },
  ]);
  t.same(
    data.documents[0].versions.map(({ file }: { file: string }) => files.get(file)?.toString()),
    [createTestPdf('one').toString(), createTestPdf('two').toString()],
    'with the files of all versions',
  );
  t.match(data.documents[0], {
    shares: [{ id: shared.body.id, maxViews: 3, views: 1 }],
    grants: [{ email: 'heir@example.org' }],
  });
  t.match(data.documentAccesses, [{ shareId: shared.body.id, documentId: made.body.id, versionNumber: 2 }]);
  t.match(data.receivedDocuments, [{ title: 'Lent', grantedBy: { name: String } }]);
  t.match(data.devices, [{ platform: 'WEB', name: 'Browser' }]);
  t.ok(data.notifications.length > 0);
  t.ok(
    data.events.some(
      (event: { by: string; action: string }) => event.by === 'YOU' && event.action === 'QRCODE_CREATED',
    ),
  );
  t.ok(
    data.events.every(({ meaning }: { meaning: string }) => /^[A-Z].+\.$/.test(meaning)),
    'as sentences',
  );
  t.match(data.apiKeys, [{ id: key.body.id, name: 'ERP', scopes: ['scans:read'] }]);
  const text = JSON.stringify(data);
  t.notMatch(text, device.token);
  t.notMatch(text, key.body.token);
  t.notOk(/203\.0\.113/.test(text), 'no visitor’s address');
  t.notOk(text.includes(stranger.email) || text.includes(stranger.id), 'no other user');
  for (const { id, image } of data.qrCodes)
    if (id === gone) t.equal(image, null, 'a deleted code has no image');
    else t.ok(files.get(image)?.length, `${image} is in the archive`);
  t.ok(files.get(data.profile.picture)?.length, 'the picture');
  t.match(data.memoryTagPictures, [{ memoryTagId: tag.body.id, caption: 'In the choir', position: 1 }]);
  t.match(data.qrCodePictures, [{ qrCodeId: pet, caption: 'In the choir', position: 1 }]);
  for (const { file } of [data.memoryTagPictures[0], data.qrCodePictures[0]])
    t.match(await sharp(files.get(file)).metadata(), {
      format: 'jpeg',
      width: 64,
      height: 48,
      exif: undefined,
    });
  t.match(
    files.get('README.txt')?.toString('utf8'),
    /This archive contains the data that the service stores about you/,
  );

  const reads = await database.client.auditEntry.findMany({ where: { action: 'MEDICAL_DATA_READ' } });
  t.same(
    reads.map(({ resourceId }) => resourceId),
    [medical],
    'a read of medical content is audited',
  );
  const subjects = (await listMailsTo(test, owner.email)).map(({ subject }) => subject);
  t.ok(subjects.includes('Your data was downloaded'));
});

t.test('an archive requires a login within the last ten minutes', async (t) => {
  const user = await test.createUser();
  await backdateSessions(test, user.id, 11);
  const { refreshToken } = user;
  const fresh = await test.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
  for (const token of [user.accessToken, fresh.body.accessToken]) {
    const trail = await captureAuditEntries(test, async () => {
      t.ok(
        isProblem(await test.call('GET', EXPORT, { token }), 403, 'REAUTHENTICATION_REQUIRED'),
        'a refresh is no login',
      );
    });
    t.ok(trail.some(({ action, outcome }) => action === 'ACCESS_DENIED' && outcome === 'DENIED'));
  }
});

t.test('an archive for the user’s own key can only be opened with it', async (t) => {
  const { accessToken: token } = await test.createUser();
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const answer = await fetchBytes(test, `${EXPORT}?ageRecipient=${recipient}`, token);
  t.match(answer.headers['content-disposition'], /\.zip\.age"$/);
  t.equal(answer.bytes.subarray(0, 21).toString(), 'age-encryption.org/v1');
  const opened = new Decrypter();
  opened.addIdentity(identity);
  t.match(await readExportData(Buffer.from(await opened.decrypt(answer.bytes))), { format: 'personal-data' });
  const other = new Decrypter();
  other.addIdentity(await generateX25519Identity());
  await t.rejects(other.decrypt(answer.bytes));

  const broken = `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`;
  for (const bad of ['age1', 'AGE-SECRET-KEY-1', broken, `age1${'q'.repeat(58)}`]) {
    const refused = await test.call('GET', `${EXPORT}?ageRecipient=${bad}`, { token });
    t.ok(isProblem(refused, 400, 'VALIDATION_FAILED'), refused.text);
    t.match(refused.body.errors, [{ field: 'ageRecipient' }]);
  }
});

t.test('rejects an export without a key where one is required', async (t) => {
  const { accessToken: token } = await test.createUser();
  const body = { password: 'correct horse battery staple' };
  t.equal(await test.services.mustEncryptExport(test.database.client, 'x'), false);
  const { buildApp } = await import('../../../src/app.ts');
  const services = { ...test.services, mustEncryptExport: async () => true };
  const features = { ...services.features, personalData: createPersonalDataFeature(services).feature };
  const strict = await buildApp({ ...services, features }, false);
  t.teardown(() => strict.close());
  const headers = { authorization: `Bearer ${token}` };
  const streamed = await strict.inject({ url: EXPORT, headers });
  t.match([streamed.statusCode, streamed.json().code], [403, 'EXPORT_KEY_REQUIRED']);
  const made = await strict.inject({ method: 'POST', url: '/api/auth/exports', headers, payload: body });
  t.match([made.statusCode, made.json().code], [403, 'EXPORT_KEY_REQUIRED']);
});

t.test('an altered row does not block the rest of the export, and is a CRITICAL audit entry', async (t) => {
  const good = await test.code({ title: 'Good' });
  const bad = await test.code({ title: 'Bad' });
  await test.database.client.qrCode.update({ where: { id: bad }, data: { data: Buffer.from('altered') } });
  let bytes: Buffer = Buffer.alloc(0);
  const trail = await captureAuditEntries(test, async () => {
    bytes = (await fetchBytes(test, EXPORT, test.owner.accessToken)).bytes;
  });
  const { qrCodes } = await readExportData(bytes);
  t.match(
    qrCodes.find(({ id }: { id: string }) => id === good),
    { data: { name: 'Rex' } },
  );
  t.match(
    qrCodes.find(({ id }: { id: string }) => id === bad),
    { title: 'Bad', data: null },
  );
  t.match(
    trail.find(({ action }) => action === 'DATA_INTEGRITY_FAILED'),
    { severity: 'CRITICAL', resourceId: bad },
  );
});

t.test('a user can download ten archives a day', async (t) => {
  const { accessToken: token } = await test.createUser();
  for (let index = 0; index < 10; index += 1)
    t.equal((await test.call('GET', EXPORT, { token })).status, 200);
  t.ok(isProblem(await test.call('GET', EXPORT, { token }), 429, 'RATE_LIMITED'));
});
