import { encryptModerationText } from '../../../../src/features/moderation/encrypted-moderation-fields.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { createBatch, getBatch, listTags } from '../../codes/batches/batch-helper.ts';
import { listErrorFields } from '../../codes/code-helper.ts';
import { createSolidPicture } from '../../files/pictures/hostile-pictures.ts';
import { createGalleryClient } from '../../memory-tags/gallery-helper.ts';
import { createTokenHeader } from '../helper.ts';

const NO_LIMITS = { BILLING: 'off' };

const claim = (app: TestApp, user: TestUser, body: object, remoteAddress?: string) =>
  app.call('POST', '/api/claims', {
    token: user.accessToken,
    body: { name: 'Green backpack', ...body },
    ...(remoteAddress && { remoteAddress }),
  });

t.test('a claimed tag becomes a code of its new owner, with its address and number', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [maker, owner] = [await app.createUser(), await app.createUser()];
  const { batch, tags } = await createBatch(app, maker, { pageDesign: { accentColor: '#0d47a1' } });
  const [first, second] = tags;
  const { body: before } = await app.call('GET', `/api/qrcodes/${first?.qrCodeId}`, {
    token: maker.accessToken,
  });
  await app.call('HEAD', `/s/${first?.qrCodeId}`);
  t.match(await getBatch(app, maker, batch.id), { counts: { scanned: 0 } });
  const page = await app.call('GET', `/s/${first?.qrCodeId}`);
  t.equal(page.status, 200);
  t.match(page.text, 'This tag isn’t set up yet');
  t.match(page.text, '#0d47a1');
  t.match(page.text, `/app/claim/${first?.qrCodeId}`);
  await app.call('GET', `/s/${first?.qrCodeId}`);
  t.match(await getBatch(app, maker, batch.id), { counts: { scanned: 1, claimed: 0 } });

  const claimed = await claim(app, owner, { qrCodeId: first?.qrCodeId });
  t.match(claimed, { status: 201, body: { kind: 'LUGGAGE', title: 'Green backpack' } });
  t.equal(claimed.headers.location, `/api/qrcodes/${first?.qrCodeId}`);
  const { body: code } = await app.call('GET', `/api/qrcodes/${first?.qrCodeId}`, {
    token: owner.accessToken,
  });
  t.match(code, {
    accountId: owner.id,
    status: 'ACTIVE',
    title: 'Green backpack',
    data: { name: 'Green backpack' },
    shortNumber: first?.shortNumber,
    scanUrl: before.scanUrl,
    imageUrl: before.imageUrl,
  });
  t.match((await app.call('GET', `/s/${first?.qrCodeId}`)).text, '<h1>Green backpack</h1>');
  t.equal(
    (await app.call('GET', `/api/qrcodes/${first?.qrCodeId}`, { token: maker.accessToken })).status,
    404,
  );

  t.match(await getBatch(app, maker, batch.id), { counts: { claimed: 1 } });
  const [listed] = await listTags(app, maker, batch.id);
  t.match(listed, { status: 'CLAIMED', qrCodeId: first?.qrCodeId, shortNumber: first?.shortNumber });
  const { text } = await app.call('GET', `/api/batches/${batch.id}/export?format=csv`, {
    token: maker.accessToken,
  });
  t.notMatch(text, 'Green backpack');
  const { client } = app.database;
  t.match(await client.qrCodeCount.findUnique({ where: { accountId: maker.id } }), {
    unclaimed: 2,
    active: 0,
  });
  t.match(await client.qrCodeCount.findUnique({ where: { accountId: owner.id } }), {
    unclaimed: 0,
    active: 1,
  });

  const byNumber = await claim(app, owner, { number: second?.shortNumber.toLowerCase(), name: 'Bag' });
  t.match(byNumber, { status: 201, body: { qrCodeId: second?.qrCodeId } });
  t.match(await claim(app, maker, { qrCodeId: tags[2]?.qrCodeId, name: 'Own' }), { status: 201 });
  t.match(await client.qrCodeCount.findUnique({ where: { accountId: maker.id } }), {
    unclaimed: 0,
    active: 1,
  });
  t.same(listErrorFields(await claim(app, owner, {})), ['qrCodeId REQUIRED']);
  t.match(await claim(app, owner, { qrCodeId: code.id.replace(/^./, '0') }), { status: 404 });
});

t.test('one of many claims of a tag succeeds', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const maker = await app.createUser();
  const users = await Promise.all(Array.from({ length: 10 }, () => app.createUser()));
  const { batch, tags } = await createBatch(app, maker, { count: 1 });
  const qrCodeId = tags[0]?.qrCodeId;
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => claim(app, users[index % 10] as TestUser, { qrCodeId })),
  );
  const statuses = answers.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 201).length, 1);
  t.same(
    statuses.filter((status) => ![201, 409, 503].includes(status)),
    [],
  );
  t.ok(answers.filter(({ status }) => status === 409).every(({ body }) => body.code === 'TAG_CLAIMED'));
  t.match(await getBatch(app, maker, batch.id), { counts: { claimed: 1 } });
  t.equal(await app.database.client.qrCode.count(), 1);
});

t.test('a claim code is needed where the batch says so, and few attempts are allowed', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [maker, owner] = [await app.createUser(), await app.createUser()];
  const { batch, tags } = await createBatch(app, maker, { count: 2, claim: 'BY_CODE' });
  const { text } = await app.call('GET', `/api/batches/${batch.id}/export?format=jsonl`, {
    token: maker.accessToken,
  });
  const [first, second] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).claimCode as string);
  const [qrCodeId, other] = tags.map((tag) => tag.qrCodeId);
  for (const claimCode of [undefined, 'AAAA-AAAA', second])
    t.match(await claim(app, owner, { qrCodeId, claimCode }, '198.51.100.7'), {
      status: 403,
      body: { code: 'CLAIM_CODE_INCORRECT' },
    });
  t.match(
    await claim(app, owner, { qrCodeId, claimCode: first?.toLowerCase().replace('-', ' ') }, '198.51.100.7'),
    {
      status: 201,
    },
  );
  t.match(await claim(app, owner, { qrCodeId, claimCode: first }), { status: 409 });
  for (let attempt = 0; attempt < 5; attempt += 1)
    await claim(app, owner, { qrCodeId: other, claimCode: 'WRONG' }, '198.51.100.8');
  const limited = await claim(app, owner, { qrCodeId: other, claimCode: second }, '198.51.100.8');
  t.match(limited, { status: 429, body: { code: 'RATE_LIMITED' } });
});

t.test('a claim is undone within a day, and nothing of its owner stays', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [maker, owner, next] = [await app.createUser(), await app.createUser(), await app.createUser()];
  const { batch, tags } = await createBatch(app, maker, { count: 2 });
  const [id, late] = tags.map((tag) => tag.qrCodeId);
  await claim(app, owner, { qrCodeId: id, name: 'Secret' });
  const token = owner.accessToken;
  const change = {
    design: { foreground: '#1a237e' },
    pin: '4711',
    externalId: 'mine',
    data: { name: 'Secret', notes: 'Diary' },
  };
  t.equal((await app.call('PATCH', `/api/qrcodes/${id}`, { token, body: change })).status, 200);
  const picture = await createSolidPicture(40, 30).jpeg().toBuffer();
  t.equal((await createGalleryClient(app, token, '/api/qrcodes').add(id, picture)).status, 201);
  t.equal((await app.call('POST', '/api/scans/public', { body: { qrCodeId: id } })).status, 201);
  t.equal((await app.call('DELETE', `/api/claims/${id}`, { token: next.accessToken })).status, 404);

  t.match(await app.call('DELETE', `/api/claims/${id}`, { token }), {
    status: 200,
    body: { id, deleted: true },
  });
  t.equal((await app.call('GET', `/api/qrcodes/${id}`, { token })).status, 404);
  const { body: back } = await app.call('GET', `/api/qrcodes/${id}`, { token: maker.accessToken });
  t.match(back, {
    status: 'UNCLAIMED',
    title: 'Suitcase 1',
    data: {},
    externalId: null,
    hasPin: false,
    scanCount: 0,
  });
  t.notMatch(JSON.stringify(back), /Secret|1a237e/);
  const { client } = app.database;
  t.equal(await client.picture.count(), 0);
  t.equal(await client.scan.count(), 0);
  t.match(await getBatch(app, maker, batch.id), { counts: { claimed: 0 } });
  t.equal((await claim(app, next, { qrCodeId: id })).status, 201, 'somebody else can claim it');

  await claim(app, owner, { qrCodeId: late });
  await client.batchTag.updateMany({
    where: { qrCodeId: late ?? '' },
    data: { claimedAt: new Date(Date.now() - 25 * 3_600_000) },
  });
  t.match(await app.call('DELETE', `/api/claims/${late}`, { token }), {
    status: 409,
    body: { code: 'CLAIM_FINAL' },
  });
});

t.test('a tag that the account of its batch claimed itself is given back empty', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [maker, next] = [await app.createUser(), await app.createUser()];
  const { tags } = await createBatch(app, maker, { count: 1 });
  const id = tags[0]?.qrCodeId;
  const token = maker.accessToken;
  await claim(app, maker, { qrCodeId: id });
  const picture = await createSolidPicture(40, 30).jpeg().toBuffer();
  const added = await createGalleryClient(app, token, '/api/qrcodes').add(id, picture);
  t.equal(added.status, 201);
  const scanned = await app.call('POST', '/api/scans/public', { body: { qrCodeId: id } });
  const opened = await app.call('POST', '/api/conversations/public', {
    body: { scanId: scanned.body.scan.id, message: 'Found it.', name: 'Eva' },
    headers: createTokenHeader(scanned),
  });
  t.equal(opened.status, 201, opened.text);
  const change = { externalId: 'mine', metadata: { shelf: 'A' } };
  t.equal((await app.call('PATCH', `/api/qrcodes/${id}`, { token, body: change })).status, 200);

  t.equal((await app.call('DELETE', `/api/claims/${id}`, { token })).status, 200);
  const { client } = app.database;
  const left = {
    pictures: await client.picture.count(),
    scans: await client.scan.count(),
    conversations: await client.conversation.count(),
    reports: await client.reportSchedule.count(),
  };
  t.same(left, { pictures: 0, scans: 0, conversations: 0, reports: 0 });
  t.equal((await claim(app, next, { qrCodeId: id })).status, 201);
  t.notMatch((await app.call('GET', `/s/${id}`)).text, added.body.id);
});

t.test('a claim is undone whatever number of scans the tag has', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [maker, owner] = [await app.createUser(), await app.createUser()];
  const { tags } = await createBatch(app, maker, { count: 1 });
  const qrCodeId = tags[0]?.qrCodeId;
  await claim(app, owner, { qrCodeId });
  const scan = { qrCodeId, accountId: owner.id, type: 'public', class: 'HUMAN', classRule: 'x' };
  const visitor = { visitorHash: Buffer.from('x'), ipTruncated: '203.0.113.0', userAgent: 'test' };
  await app.database.client.scan.createMany({
    data: Array.from({ length: 1_100 }, () => ({ id: generateId(), ...scan, ...visitor })),
  });
  const undone = await app.call('DELETE', `/api/claims/${qrCodeId}`, { token: owner.accessToken });
  t.equal(undone.status, 200, undone.text);
  t.equal(await app.database.client.scan.count(), 0);
});

t.test('the account of the batch reads nothing of an undone claim', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [maker, owner] = [await app.createUser(), await app.createUser()];
  const { tags } = await createBatch(app, maker, { count: 1 });
  const id = tags[0]?.qrCodeId as string;
  const { client } = app.database;
  await claim(app, owner, { qrCodeId: id });
  const token = owner.accessToken;
  await app.call('PATCH', `/api/qrcodes/${id}`, { token, body: { pin: '4711' } });
  await app.call('POST', `/api/qrcodes/${id}/lost`, { token, body: {} });
  const readHistory = async (user: TestUser) => {
    const { body } = await app.call('GET', `/api/qrcodes/${id}/history`, { token: user.accessToken });
    return body.data.map(({ action }: { action: string }) => action);
  };
  t.same((await readHistory(owner)).toSorted(), ['LOST', 'PIN_SET']);
  const of = { accountId: owner.id };
  const takedownId = generateId();
  const { fieldCipher } = app.services;
  const reason = encryptModerationText(fieldCipher, 'takedownReason', { id: takedownId, ...of }, 'Fraud');
  const takedown = { id: takedownId, qrCodeId: id, ...of, category: 'FRAUD', reason };
  await client.qrCodeTakedown.create({ data: { ...takedown, endedAt: new Date() } });
  await client.qrCodeAppeal.create({
    data: { id: generateId(), takedownId, ...of, message: Buffer.from('x') },
  });
  await client.qrCodeReport.create({
    data: { id: generateId(), qrCodeId: id, ...of, networkHash: Buffer.alloc(32), category: 'FRAUD' },
  });

  const undone = await app.call('DELETE', `/api/claims/${id}`, { token });
  t.equal(undone.status, 200, undone.text);
  t.same(await readHistory(maker), []);
  t.equal(await client.qrCodeAppeal.count(), 0);
  t.equal(await client.qrCodeReport.count(), 0);
  t.match(await client.qrCodeTakedown.findMany(), [{ accountId: maker.id }]);
});

t.test('the page of a tag names the organization; a withheld or deleted tag is not claimed', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const [maker, owner] = [await app.createUser(), await app.createUser()];
  const accountId = await insertOrganization(app, {
    name: 'Harbor <School>',
    members: [{ userId: maker.id, role: 'OWNER' }],
  });
  const headers = { 'account-id': accountId };
  const { tags } = await createBatch(
    {
      ...app,
      call: (method, url, options) =>
        app.call(method, url, { ...options, headers: { ...headers, ...options?.headers } }),
    },
    maker,
  );
  const [id, deleted, withheld] = tags.map((tag) => tag.qrCodeId);
  t.match((await app.call('GET', `/s/${id}`)).text, 'Harbor &#60;School&#62;');
  await app.call('DELETE', `/api/qrcodes/${deleted}`, { token: maker.accessToken, headers });
  t.match(await claim(app, owner, { qrCodeId: deleted }), { status: 404 });
  await app.database.client.qrCode.updateMany({
    where: { id: withheld ?? '' },
    data: { takenDownAt: new Date() },
  });
  t.match(await claim(app, owner, { qrCodeId: withheld }), {
    status: 410,
    body: { code: 'CODE_UNAVAILABLE' },
  });
});
