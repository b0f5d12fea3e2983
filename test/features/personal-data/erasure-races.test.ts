import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { TEST_PASSWORD, type TestResponse, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { countStatuses, createProfileForm, createTestPhoto } from '../identity/accounts/helper.ts';
import { BERLIN_POSITION, startScans } from '../scans/helper.ts';
import { eraseAccountOf, fetchBytes, readExportData, waitForErasures } from './helper.ts';

const app = await startScans(t);
const { call, code, database } = app;
const { client } = database;

const CHANGED = 'another long password of mine';

/** Assert that nothing of an account remains, whatever was in progress. */
async function assertErased(t: Test, account: TestUser): Promise<void> {
  const { id } = account;
  await waitForErasures(app);
  const user = await client.user.findUniqueOrThrow({ where: { id } });
  t.match(user, {
    status: 'DELETED',
    email: `erased:${id}`,
    passwordHash: null,
    firstName: null,
    phone: null,
  });
  const whose = { userId: id };
  t.equal(await client.session.count({ where: whose }), 0, 'sessions');
  t.equal(await client.membership.count({ where: whose }), 0, 'memberships');
  t.equal(await client.notification.count({ where: whose }), 0, 'notifications');
  t.equal(await client.passwordReset.count({ where: whose }), 0, 'links');
  t.equal(await client.dataExport.count({ where: whose }), 0, 'exports');
  t.equal(await client.memoryTag.count({ where: { accountId: id } }), 0, 'memory tags');
  t.equal(
    await client.idempotencyKey.count({ where: { OR: [{ requester: id }, { contentAccountId: id }] } }),
    0,
    'answers',
  );
  t.equal(await client.scan.count({ where: { scannerId: id } }), 0, 'as a scanner');
  const codes = await client.qrCode.findMany({ where: { accountId: id } });
  for (const one of codes) t.match(one, { status: 'DELETED', data: null, imageFile: null, title: 'Erased' });
  const scans = await client.scan.findMany({ where: { accountId: id } });
  for (const one of scans) t.match(one, { position: null, userAgent: '', ipTruncated: '' });
  const files = await readdir(join(app.services.config.uploadsDir, 'qrcodes'));
  t.same(
    files.filter((name) => name.includes(id)),
    [],
    'images',
  );
  t.equal(await client.auditActor.count({ where: whose }), 0, 'reference');
}

t.test(
  'scans, creations, logins and changes during an erasure get a response and leave nothing',
  async (t) => {
    for (let round = 0; round < 3; round += 1) {
      const account = await app.createUser();
      const { accessToken: token, email, id, refreshToken } = account;
      const mine = await code(
        { kind: 'MEDICAL', title: 'M', data: { name: 'Ada', bloodType: 'A+' } },
        account,
      );
      const theirs = await code({});
      const picture = await createTestPhoto();
      let keys = 0;
      const key = () => ({ 'idempotency-key': `race-${round}-${++keys}-0123456789` });
      const work: (() => Promise<TestResponse>)[] = [
        () => call('POST', '/api/scans/public', { body: { qrCodeId: mine }, headers: key() }),
        () =>
          call('POST', '/api/scans/geocoded?type=guest', { body: { qrCodeId: mine, ...BERLIN_POSITION } }),
        () => call('POST', '/api/scans', { token, body: { qrCodeId: mine }, headers: key() }),
        () => call('POST', '/api/scans', { token, body: { qrCodeId: theirs }, headers: key() }),
        () => call('GET', `/s/${mine}`),
        () => call('POST', '/api/auth/login', { body: { email, password: TEST_PASSWORD } }),
        () => call('POST', '/api/auth/refresh-token', { body: { refreshToken } }),
        () => call('POST', '/api/auth/forgot-password', { body: { email } }),
        () =>
          call('POST', '/api/qrcodes', {
            token,
            headers: key(),
            body: { kind: 'PET', title: 'N', data: { name: 'N' } },
          }),
        () => call('PUT', `/api/qrcodes/${mine}`, { token, body: { title: 'Changed' } }),
        () => call('POST', '/api/memory-tags', { token, headers: key(), body: { name: 'N' } }),
        () =>
          call('PUT', `/api/auth/profile/${id}`, {
            token,
            ...createProfileForm({ firstName: 'New' }, picture),
          }),
        () =>
          call('POST', '/api/auth/change-password', {
            token,
            body: { currentPassword: TEST_PASSWORD, newPassword: CHANGED },
          }),
        () => call('POST', '/api/auth/exports', { token, body: { password: TEST_PASSWORD }, headers: key() }),
      ];
      const before = work.flatMap((one) => [one(), one()]);
      await new Promise((resolve) => setTimeout(resolve, round * 60));
      const erasing = eraseAccountOf(app, account);
      const after = work.flatMap((one) => [one(), one()]);
      const answers = await Promise.all([...before, ...after]);
      let erased = await erasing;
      // The password may have been changed first, or the wait for a scan been broken off: the person asks again.
      for (let tries = 0; erased.status !== 200 && tries < 20; tries += 1) {
        t.ok([401, 409, 429, 503].includes(erased.status), erased.text);
        await new Promise((resolve) => setTimeout(resolve, 500));
        const password = tries % 2 === 0 ? CHANGED : TEST_PASSWORD;
        const login = await call('POST', '/api/auth/login', { body: { email, password } });
        const again = login.body.accessToken ?? token;
        erased = await call('DELETE', '/api/auth/account', { token: again, body: { password } });
      }
      t.equal(erased.status, 200, erased.text);
      const counts = countStatuses(answers);
      t.same(
        Object.keys(counts).filter((status) => Number(status) >= 500 && status !== '503'),
        [],
        JSON.stringify(counts),
      );
      await assertErased(t, account);
    }
  },
);

t.test('an erasure aborts a running export, and the service keeps running', async (t) => {
  const account = await app.createUser();
  for (let index = 0; index < 3; index += 1) await code({}, account);
  const exporting = Promise.all(
    Array.from({ length: 4 }, () =>
      fetchBytes(app, '/api/auth/export', account.accessToken).catch(() => ({
        status: 0,
        bytes: Buffer.alloc(0),
      })),
    ),
  );
  const [answers, erased] = await Promise.all([exporting, eraseAccountOf(app, account)]);
  t.equal(erased.status, 200);
  for (const { status, bytes } of answers) {
    // One is sent at a time; the others are told of a job.
    t.ok([0, 200, 202, 401].includes(status), String(status));
    // Whole, or visibly not.
    if (status === 200)
      await readExportData(bytes)
        .then((data) => t.equal(data.profile.id, account.id))
        .catch(() => t.pass('cut'));
  }
  await assertErased(t, account);
  t.equal((await call('GET', '/api/auth/me', { token: app.owner.accessToken })).status, 200);
});

t.test('of parallel registrations during an erasure, at most one gets the address', async (t) => {
  const account = await app.createUser();
  const register = () =>
    call('POST', '/api/auth/register', { body: { email: account.email, password: TEST_PASSWORD } });
  const [erased, ...registered] = await Promise.all([
    eraseAccountOf(app, account),
    register(),
    register(),
    register(),
  ]);
  t.equal(erased.status, 200);
  t.same(countStatuses(registered), { 201: 3 });
  t.ok((await client.user.count({ where: { email: account.email } })) <= 1);
  await assertErased(t, account);
});

t.test('parallel erasures of an account erase it once', async (t) => {
  const account = await app.createUser();
  const answers = await Promise.all([1, 2, 3, 4].map(() => eraseAccountOf(app, account)));
  const counts = countStatuses(answers);
  t.equal(counts[200], 1, JSON.stringify(counts));
  t.equal((counts[401] ?? 0) + (counts[429] ?? 0), 3, 'the others come too late');
  t.equal(await client.erasure.count({ where: { userId: account.id } }), 1);
});
