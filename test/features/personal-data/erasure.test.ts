import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createFinishErasureJob,
  requeueLostErasures,
} from '../../../src/features/personal-data/finish-erasure.job.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createTestGate } from '../../gate.ts';
import { TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries, insertTestQrCode } from '../audit-trail-helper.ts';
import { createProfileForm, createTestPhoto, isProblem, listMailsTo } from '../identity/accounts/helper.ts';
import { BERLIN_POSITION, findCounts, startScans } from '../scans/helper.ts';
import { backdateSessions, eraseAccountOf, listImageFiles, waitFor, waitForErasures } from './helper.ts';

const app = await startScans(t);
const { call, code, scan, database } = app;
const { client } = database;

t.test('an erased account is unusable immediately, and its address is free again', async (t) => {
  const user = await app.createUser();
  const { accessToken: token, refreshToken, email, id } = user;
  const body = createProfileForm({ phone: '+4930123456' }, await createTestPhoto());
  await call('PUT', `/api/auth/profile/${id}`, { token, ...body });
  const picture = (await client.user.findUniqueOrThrow({ where: { id } })).profilePicture ?? '';
  const pet = await code({}, user);
  const image = (await client.qrCode.findUniqueOrThrow({ where: { id: pet } })).imageFile ?? '';
  const made = await scan({ qrCodeId: pet });
  const key = { 'idempotency-key': 'a-scan-that-is-repeated' };
  await scan({ qrCodeId: pet }, { headers: key });
  const countResponses = () => client.idempotencyKey.count({ where: { contentAccountId: id } });
  t.equal(await countResponses(), 1);

  const answer = await eraseAccountOf(app, user);
  t.same([answer.status, answer.body], [200, { id, deleted: true }]);
  t.equal(answer.headers['clear-site-data'], '"cache"');
  t.ok(isProblem(await eraseAccountOf(app, user), 401, 'UNAUTHENTICATED'), 'twice');
  for (const path of ['/api/auth/me', '/api/qrcodes', '/api/auth/export'])
    t.ok(isProblem(await call('GET', path, { token }), 401, 'UNAUTHENTICATED'), path);
  t.ok(
    isProblem(
      await call('POST', '/api/auth/refresh-token', { body: { refreshToken } }),
      401,
      'REFRESH_TOKEN_INVALID',
    ),
  );
  t.ok(
    isProblem(
      await call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } }),
      401,
      'CREDENTIALS_INVALID',
    ),
  );
  t.ok(isProblem(await scan({ qrCodeId: pet }), 404, 'NOT_FOUND'), 'a scan');
  t.ok(isProblem(await scan({ qrCodeId: pet }, { headers: key }), 404, 'NOT_FOUND'), 'a repeated scan');
  t.equal((await call('GET', `/s/${pet}`)).status, 404, 'the page');
  const guest = await call('GET', `/api/scans/public/${made.body.scan.id}`, {
    headers: { 'x-scan-token': made.body.scanToken },
  });
  t.match([guest.status, guest.body.status, guest.body.profile], [200, 'DELETED', null]);

  await waitForErasures(app);
  const uploads = join(app.dataDir, 'uploads');
  t.equal(await countResponses(), 0, 'responses to others with content of the account');
  t.notOk((await readdir(join(uploads, 'profile-pictures'))).includes(picture), 'the picture');
  t.notOk((await listImageFiles(app)).includes(image), 'the image');
  t.equal((await call('GET', `/uploads/qrcodes/${image}`)).status, 404);
  const mails = await listMailsTo(app, email);
  t.equal(mails.filter(({ subject }) => subject === 'Your account was deleted').length, 1);

  const again = await app.createUser({ email });
  t.not(again.id, id);
  t.same(
    (await call('GET', '/api/qrcodes', { token: again.accessToken })).body.data,
    [],
    'a new account is empty',
  );
});

t.test('an erasure requires the password, or a fresh login for an account without one', async (t) => {
  const user = await app.createUser();
  const token = user.accessToken;
  const missing = await call('DELETE', '/api/auth/account', { token, body: {} });
  t.match(missing.body.errors, [{ field: 'password', code: 'REQUIRED' }]);
  t.ok(isProblem(await call('DELETE', '/api/auth/account', { token }), 400, 'VALIDATION_FAILED'));
  const trail = await captureAuditEntries(app, async () => {
    t.ok(isProblem(await eraseAccountOf(app, user, 'not the right one'), 401, 'CREDENTIALS_INVALID'));
  });
  t.match(trail, [{ action: 'IDENTITY_PROOF_REJECTED', outcome: 'DENIED' }]);
  t.ok(
    isProblem(
      await call('DELETE', '/api/auth/account', { body: { password: TEST_PASSWORD } }),
      401,
      'UNAUTHENTICATED',
    ),
  );
  t.equal((await call('GET', '/api/auth/me', { token })).status, 200, 'nothing happened');

  await client.user.update({ where: { id: user.id }, data: { passwordHash: null } });
  await backdateSessions(app, user.id, 11);
  t.ok(
    isProblem(
      await call('DELETE', '/api/auth/account', { token, body: {} }),
      403,
      'REAUTHENTICATION_REQUIRED',
    ),
  );
  await backdateSessions(app, user.id, 9);
  t.equal((await call('DELETE', '/api/auth/account', { token, body: {} })).status, 200);
});

t.test('scans are kept without personal data, and the counts stay the same', async (t) => {
  const user = await app.createUser();
  const pet = await code({}, user);
  const headers = { 'user-agent': 'Mozilla/5.0 canary', 'x-forwarded-for': '198.51.100.7' };
  await call('POST', '/api/scans/geocoded?type=guest', {
    body: { qrCodeId: pet, ...BERLIN_POSITION },
    headers,
  });
  await scan({ qrCodeId: pet }, { headers });
  const theirs = await code();
  const elsewhere = await call('POST', '/api/scans', {
    token: user.accessToken,
    body: { qrCodeId: theirs },
  });
  const before = await findCounts(app, pet);
  await eraseAccountOf(app, user);
  await waitForErasures(app);

  const after = await findCounts(app, pet);
  t.same(after.counters, before.counters);
  t.equal(after.rows.total, before.rows.total);
  const scans = await client.scan.findMany({ where: { qrCodeId: pet } });
  t.equal(scans.length, 2);
  for (const row of scans)
    t.match(row, { position: null, ipTruncated: '', userAgent: '', scannerId: null, accountId: user.id });
  t.ok(scans.every(({ visitorHash }) => visitorHash.length === 0));
  t.ok(
    scans.some(({ city }) => city === 'Berlin'),
    'the city may stay',
  );
  t.equal(await client.scanVisitor.count({ where: { qrCodeId: pet } }), 0);
  const other = await client.scan.findUniqueOrThrow({ where: { id: elsewhere.body.scan.id } });
  t.equal(other.scannerId, null);
  t.not(other.userAgent, '', 'a scan of another user’s code keeps its agent');
});

t.test('the audit trail is complete, and its reference identifies nobody', async (t) => {
  const user = await app.createUser();
  await code({}, user);
  await call('POST', '/api/auth/login', { body: { email: user.email, password: 'a wrong password' } });
  const { reference } = await client.auditActor.findUniqueOrThrow({ where: { userId: user.id } });
  const about = { OR: [{ actorReference: reference }, { resourceId: reference }] };
  const before = await client.auditEntry.findMany({ where: about, orderBy: { id: 'asc' } });
  await eraseAccountOf(app, user);
  await waitForErasures(app);
  const after = await client.auditEntry.findMany({
    where: about,
    orderBy: { id: 'asc' },
    include: { origin: true },
  });
  const ids = new Set(before.map(({ id }) => id));
  t.same(
    after.filter(({ id }) => ids.has(id)).map(({ origin, ...entry }) => entry),
    before,
    'every entry is unchanged',
  );
  const added = after.filter(({ id }) => !ids.has(id));
  t.match(added, [
    { action: 'ACCOUNT_ERASED', severity: 'CRITICAL', outcome: 'SUCCESS', resourceId: reference },
  ]);
  t.same(
    after.filter(({ origin }) => origin !== null),
    [],
    'no entry has an origin',
  );
  t.equal(await client.auditActor.count({ where: { OR: [{ reference }, { userId: user.id }] } }), 0);
  const erasure = await client.erasure.findFirstOrThrow({ where: { userId: user.id } });
  t.match(erasure, { auditReference: null, scanCursorAt: null });
  t.equal(
    await client.auditEntry.count({ where: { action: 'ERASURE_FINISHED', resourceId: erasure.id } }),
    1,
  );
});

t.test('drops pending mails to the address, except the one about the erasure', async (t) => {
  const user = await app.createUser();
  await app.getLastMail(user.email);
  const send = app.services.mailProvider.send.bind(app.services.mailProvider);
  const gate = createTestGate();
  const sent: string[] = [];
  let inHand = 0;
  app.services.mailProvider.send = async (message) => {
    inHand += 1;
    await gate.whenOpened;
    if (message.to === user.email) sent.push(message.subject);
    await send(message);
  };
  // As many as the worker takes at a time are in its hands, and the next one waits.
  for (const name of ['a', 'b', 'c', 'd'])
    await call('POST', '/api/auth/register', {
      body: { email: `${name}@example.org`, password: TEST_PASSWORD },
    });
  await waitFor(async () => inHand === 4);
  await call('POST', '/api/auth/forgot-password', { body: { email: user.email } });
  await eraseAccountOf(app, user);
  gate.open();
  await waitFor(async () => (await client.outgoingMail.count({ where: { status: 'WAITING' } })) === 0);
  app.services.mailProvider.send = send;
  t.same(sent, ['Your account was deleted']);
  t.equal(await client.outgoingMail.count({ where: { recipientHash: { not: null } } }), 0);
});

t.test('the last administrator cannot be erased; of two parallel erasures one fails', async (t) => {
  const [one, two] = [await app.createUser(), await app.createUser()];
  const ids = [one.id, two.id];
  await client.user.updateMany({ where: { id: one.id }, data: { role: 'ADMIN' } });
  t.ok(isProblem(await eraseAccountOf(app, one), 409, 'LAST_ADMINISTRATOR'));
  t.equal((await call('GET', '/api/auth/me', { token: one.accessToken })).status, 200);
  await client.user.updateMany({ where: { id: { in: ids } }, data: { role: 'ADMIN' } });
  const answers = await Promise.all([eraseAccountOf(app, one), eraseAccountOf(app, two)]);
  t.same(answers.map(({ status }) => status).sort(), [200, 409]);
  t.equal(await client.user.count({ where: { role: 'ADMIN', status: 'ACTIVE' } }), 1);
  await client.user.updateMany({ where: { id: { in: ids }, role: 'ADMIN' }, data: { role: 'USER' } });
});

t.test('a large account is unreachable immediately, and a killed job resumes', async (t) => {
  const user = await app.createUser();
  const codes = Array.from({ length: 2_500 }, () => generateId());
  await client.qrCode.createMany({
    data: codes.map((id) => ({
      ...{ id, accountId: user.id, kind: 'PET', mode: 'DYNAMIC', title: 'canary title', slug: 'canary' },
      ...{ data: Buffer.from('sealed content'), visibility: {}, design: {} },
    })),
  });
  const last = codes.sort().at(-1) ?? '';
  await client.scan.createMany({
    data: Array.from({ length: 5_000 }, (_, index) => ({
      ...{
        id: generateId(),
        qrCodeId: codes[index % 2_500] ?? '',
        accountId: user.id,
        type: 'public',
        class: 'HUMAN',
      },
      ...{
        classRule: 'x',
        visitorHash: Buffer.from('canary'),
        ipTruncated: '203.0.113.0',
        userAgent: 'canary',
      },
      scannedAt: new Date(Date.now() - Math.floor(index / 3) * 1000),
    })),
  });
  await client.notification.createMany({
    data: codes.map((key) => ({
      id: generateId(),
      key: String(key),
      userId: user.id,
      accountId: user.id,
      type: 'DEFAULT',
      event: 'X',
      data: { code: 'canary' },
    })),
  });
  await app.services.jobs.stop();
  t.equal((await eraseAccountOf(app, user)).status, 200);
  t.ok(
    (await client.qrCode.count({ where: { accountId: user.id, data: { not: null } } })) > 0,
    'some remain',
  );
  t.ok(isProblem(await scan({ qrCodeId: last }), 404, 'NOT_FOUND'), 'and nobody can scan them');
  t.equal((await call('GET', `/s/${last}`)).status, 404);

  const { id } = await client.erasure.findFirstOrThrow({ where: { userId: user.id } });
  let kills = 0;
  while (kills < 3) {
    let transactions = 0;
    const dying = { ...app.services, database: { ...database, transaction: breakOff } };
    function breakOff<Result>(work: Parameters<typeof database.transaction<Result>>[0]): Promise<Result> {
      transactions += 1;
      if (transactions > 1) throw new Error('killed');
      return database.transaction(work);
    }
    const isDone = await createFinishErasureJob(dying)({ erasureId: id }).then(
      () => true,
      () => false,
    );
    if (isDone) break;
    kills += 1;
  }
  t.equal(kills, 3);
  const half = await client.erasure.findUniqueOrThrow({ where: { id } });
  t.ok(half.scanCursorId && !half.finishedAt, 'it is in progress');
  await database.pool.query("DELETE FROM pgboss.job WHERE name = 'erase-account'");
  await requeueLostErasures(app.services);
  await requeueLostErasures(app.services);
  const { rows } = await database.pool.query("SELECT 1 FROM pgboss.job WHERE name = 'erase-account'");
  t.equal(rows.length, 1, 'a lost job is created again, once');
  await Promise.all([1, 2].map(() => createFinishErasureJob(app.services)({ erasureId: id })));
  t.ok((await client.erasure.findUniqueOrThrow({ where: { id } })).finishedAt, 'two workers do no harm');
  t.equal(await client.qrCode.count({ where: { accountId: user.id, title: { not: 'Erased' } } }), 0);
  t.equal(await client.scan.count({ where: { accountId: user.id, userAgent: { not: '' } } }), 0);
  t.equal(await client.scan.count({ where: { accountId: user.id } }), 5_000);
  t.equal(await client.notification.count({ where: { userId: user.id } }), 0);
  t.equal(await client.auditEntry.count({ where: { action: 'ERASURE_FINISHED', resourceId: id } }), 1);
});

t.test('an erased account stays erased, and nothing can be created for it', async (t) => {
  const { id } = await client.user.findFirstOrThrow({ where: { status: 'DELETED' } });
  await t.rejects(client.user.update({ where: { id }, data: { status: 'ACTIVE' } }));
  await t.rejects(insertTestQrCode(app, id, { id: generateId() }));
  await t.rejects(client.memoryTag.create({ data: { id: generateId(), accountId: id, name: 'x' } }));
  const ended = new Date();
  await t.rejects(
    client.session.create({
      data: { id: generateId(), userId: id, ip: '', userAgent: '', expiresAt: ended },
    }),
  );
  await client.notification.createMany({
    data: [{ id: generateId(), key: 'x', userId: id, accountId: id, type: 'DEFAULT', event: 'X' }],
  });
  t.equal(await client.notification.count({ where: { userId: id } }), 0, 'no notification');
});
