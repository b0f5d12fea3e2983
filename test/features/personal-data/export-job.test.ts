import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { cleanUpDataExports } from '../../../src/features/personal-data/clean-up-exports.use-case.ts';
import { createMakeDataExportJob } from '../../../src/features/personal-data/make-export.job.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, TEST_PASSWORD, type TestApp, type TestResponse, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries, insertTestQrCode } from '../audit-trail-helper.ts';
import { countStatuses, isProblem, listMailsTo, runConcurrently } from '../identity/accounts/helper.ts';
import { enableSecondFactor } from '../identity/second-factor/helper.ts';
import {
  backdateSessions,
  eraseAccountOf,
  fetchBytes,
  listExportFilesOf,
  readExportData,
  waitFor,
} from './helper.ts';

const EXPORTS = '/api/auth/exports';

const app = await startTestApp(t);

function requestExportOf(
  app: TestApp,
  user: TestUser,
  body: object = { password: TEST_PASSWORD },
  headers = {},
): Promise<TestResponse> {
  return app.call('POST', EXPORTS, { token: user.accessToken, body, headers });
}

/** One of the people who were there before. */
function createTestUserData(): TestUser {
  const user = users.pop();
  if (!user) throw new Error('No more people.');
  return user;
}

/** Path of the only file of a user. */
async function findExportFile(user: TestUser): Promise<string> {
  const [name = ''] = await listExportFilesOf(app, user);
  return join(app.dataDir, 'files', name.slice(0, 2), name);
}

/** The export once its job has ended. */
function waitForExport(app: TestApp, user: TestUser, id: string) {
  return waitFor(async () => {
    const { body } = await app.call('GET', `${EXPORTS}/${id}`, { token: user.accessToken });
    return body.status === 'WAITING' ? null : body;
  });
}

t.test('a job creates an export, a mail announces it, and only its owner can download it', async (t) => {
  const user = await app.createUser();
  const stranger = await app.createUser();
  const token = user.accessToken;
  const response = await requestExportOf(app, user);
  t.equal(response.status, 201, response.text);
  t.match(response.body, { status: 'WAITING', expiresAt: null, contentUrl: null, encryptedToYourKey: false });
  const url = `${EXPORTS}/${response.body.id}`;
  t.equal(response.headers.location, url);
  const ready = await waitForExport(app, user, response.body.id);
  t.match(ready, { status: 'READY', contentUrl: `https://qr.example.org${url}/content` });
  t.equal(Date.parse(ready.expiresAt) - Date.parse(ready.readyAt) > 6.9 * 24 * 3600_000, true, 'seven days');

  const path = await findExportFile(user);
  t.equal((await stat(path)).mode & 0o777, 0o600);
  t.notOk((await readFile(path)).includes('data.json'), 'encrypted at rest');

  const content = await fetchBytes(app, `${url}/content`, token);
  t.equal(content.headers['content-type'], 'application/zip');
  t.equal(content.bytes.length, ready.size, 'the size of the download, not of the file');
  t.equal(content.headers['content-length'], String(ready.size));
  t.match(await readExportData(content.bytes), { profile: { email: user.email } });
  const list = await app.call('GET', EXPORTS, { token });
  t.match(list.body, { data: [{ id: response.body.id }], pagination: { total: 1 } });

  t.same((await app.call('GET', EXPORTS, { token: stranger.accessToken })).body.data, []);
  const mails = await listMailsTo(app, user.email);
  t.ok(
    mails.some(
      ({ subject, text }) =>
        subject === 'Your data is ready to download' &&
        /you can download it where you requested it/.test(text),
    ),
  );
  const actions = (await app.database.client.auditEntry.findMany()).map(({ action }) => action);
  for (const action of ['DATA_EXPORT_REQUESTED', 'DATA_EXPORTED', 'DATA_EXPORT_DOWNLOADED'])
    t.ok(actions.includes(action), action);

  await backdateSessions(app, user.id, 11);
  t.ok(isProblem(await app.call('GET', `${url}/content`, { token }), 403, 'REAUTHENTICATION_REQUIRED'));
});

t.test('an export for the user’s own key can only be opened with it', async (t) => {
  const user = await app.createUser();
  const identity = await generateX25519Identity();
  const ageRecipient = await identityToRecipient(identity);
  const { id } = (await requestExportOf(app, user, { password: TEST_PASSWORD, ageRecipient })).body;
  const ready = await waitForExport(app, user, id);
  t.match(ready, { status: 'READY', encryptedToYourKey: true });
  const content = await fetchBytes(app, `${EXPORTS}/${id}/content`, user.accessToken);
  t.equal(content.bytes.length, ready.size);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  t.match(await readExportData(Buffer.from(await decrypter.decrypt(content.bytes))), {
    profile: { id: user.id },
  });
});

t.test('an export requires the password; wrong ones are throttled like failed logins', async (t) => {
  const user = await app.createUser();
  const missing = await requestExportOf(app, user, {});
  t.ok(isProblem(missing, 400, 'VALIDATION_FAILED'));
  t.match(missing.body.errors, [{ field: 'password', code: 'REQUIRED' }]);
  const trail = await captureAuditEntries(app, async () => {
    t.ok(
      isProblem(
        await requestExportOf(app, user, { password: 'not the right one' }),
        401,
        'CREDENTIALS_INVALID',
      ),
    );
  });
  t.match(trail, [{ action: 'IDENTITY_PROOF_REJECTED', outcome: 'DENIED' }]);
  const answers = await runConcurrently(20, () =>
    requestExportOf(app, user, { password: 'not the right one' }),
  );
  t.ok((countStatuses(answers)[429] ?? 0) > 0, JSON.stringify(countStatuses(answers)));
  t.same(
    Object.keys(countStatuses(answers)).filter((status) => !['401', '429'].includes(status)),
    [],
  );
});

t.test('an account without a password needs a fresh login instead', async (t) => {
  const user = await app.createUser();
  await app.database.client.user.update({ where: { id: user.id }, data: { passwordHash: null } });
  const { id } = (await requestExportOf(app, user, {})).body;
  await waitForExport(app, user, id);
  await backdateSessions(app, user.id, 11);
  t.ok(isProblem(await requestExportOf(app, user, {}), 403, 'REAUTHENTICATION_REQUIRED'));
});

t.test(
  'in enterprise mode an archive without a key cannot be downloaded, not even an older one',
  async (t) => {
    const user = await app.createUser();
    const token = user.accessToken;
    const { id } = (await requestExportOf(app, user)).body;
    await waitForExport(app, user, id);
    const path = `${EXPORTS}/${id}/content`;
    t.equal((await fetchBytes(app, path, token)).status, 200);
    await enableSecondFactor(app, user);
    await app.database.client.user.update({ where: { id: user.id }, data: { enterpriseMode: true } });
    const trail = await captureAuditEntries(app, async () => {
      t.ok(isProblem(await app.call('GET', path, { token }), 403, 'EXPORT_KEY_REQUIRED'));
    });
    t.match(trail, [{ action: 'ACCESS_DENIED', outcome: 'DENIED' }]);
    t.equal((await app.call('GET', `${EXPORTS}/${id}`, { token })).status, 200, 'the export still exists');

    const ageRecipient = await identityToRecipient(await generateX25519Identity());
    const response = await requestExportOf(app, user, { password: TEST_PASSWORD, ageRecipient });
    t.match(await waitForExport(app, user, response.body.id), { status: 'READY' });
    t.equal(
      (await fetchBytes(app, `${EXPORTS}/${response.body.id}/content`, token)).status,
      200,
      'with a key',
    );
  },
);

t.test('a large export is 202 with the location of its archive, the same one when repeated', async (t) => {
  const user = await app.createUser();
  for (let index = 0; index < 201; index += 1)
    await insertTestQrCode(app, user.id, {
      id: generateId(),
      title: `Code ${index}`,
      status: 'DELETED',
      deletedAt: new Date(),
    } as never);
  const token = user.accessToken;
  const large = await app.call('GET', '/api/auth/export', { token });
  t.equal(large.status, 202, large.text);
  t.equal(large.headers.location, `${EXPORTS}/${large.body.id}`);
  t.equal((await app.call('GET', '/api/auth/export', { token })).body.id, large.body.id);
  t.match(await waitForExport(app, user, large.body.id), { status: 'READY' });
  const { bytes } = await fetchBytes(app, `${EXPORTS}/${large.body.id}/content`, token);
  t.equal((await readExportData(bytes)).qrCodes.length, 201);
});

t.test('the download of an altered file fails', async (t) => {
  const user = await app.createUser();
  const { id } = (await requestExportOf(app, user)).body;
  await waitForExport(app, user, id);
  const path = await findExportFile(user);
  const bytes = await readFile(path);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  await chmod(path, 0o600);
  await writeFile(path, bytes);
  const content = `${EXPORTS}/${id}/content`;
  t.ok(isProblem(await app.call('GET', content, { token: user.accessToken }), 500, 'DATA_INTEGRITY'));
});

t.test(
  'an archive whose file is missing is FAILED at its download, and a new one can be requested',
  async (t) => {
    const user = await app.createUser();
    const token = user.accessToken;
    const { id } = (await requestExportOf(app, user)).body;
    await waitForExport(app, user, id);
    await rm(await findExportFile(user));
    const trail = await captureAuditEntries(app, async () => {
      for (let round = 0; round < 2; round += 1)
        t.ok(isProblem(await app.call('GET', `${EXPORTS}/${id}/content`, { token }), 410, 'EXPORT_FAILED'));
    });
    t.same(trail.map(({ action }) => action).toSorted(), ['DATA_EXPORT_FAILED', 'DATA_INTEGRITY_FAILED']);
    t.match((await app.call('GET', `${EXPORTS}/${id}`, { token })).body, {
      status: 'FAILED',
      contentUrl: null,
      size: null,
    });
    const next = (await requestExportOf(app, user)).body.id;
    t.match(await waitForExport(app, user, next), { status: 'READY' });
    t.equal((await fetchBytes(app, `${EXPORTS}/${next}/content`, token)).status, 200);
  },
);

const users: TestUser[] = [];

t.test('stops the jobs for the following tests', async () => {
  while (users.length < 10) users.push(await app.createUser());
  await app.services.jobs.stop();
});

t.test('one export at a time: of parallel requests one succeeds, and a repeat is replayed', async (t) => {
  const user = createTestUserData();
  const headers = { 'idempotency-key': 'export-of-my-data-1' };
  const first = await requestExportOf(app, user, undefined, headers);
  t.equal(first.status, 201);
  const again = await requestExportOf(app, user, undefined, headers);
  t.match([again.status, again.body.id, again.headers['idempotency-replayed']], [201, first.body.id, 'true']);
  t.ok(isProblem(await requestExportOf(app, user), 409, 'EXPORT_IN_PROGRESS'));
  t.ok(
    isProblem(
      await app.call('GET', `${EXPORTS}/${first.body.id}/content`, { token: user.accessToken }),
      409,
      'EXPORT_NOT_READY',
    ),
  );

  const other = createTestUserData();
  const counts = countStatuses(await runConcurrently(5, () => requestExportOf(app, other)));
  t.equal(counts[201], 1, JSON.stringify(counts));
  // Passwords given at the same moment may be told to wait, as at a login.
  t.equal((counts[409] ?? 0) + (counts[429] ?? 0), 4);
});

t.test('a failing job leaves no file, is retried, and gives up after its last attempt', async (t) => {
  const user = createTestUserData();
  const { id } = (await requestExportOf(app, user)).body;
  const { services } = app;
  const work = createMakeDataExportJob(services);
  const broken = createMakeDataExportJob({ ...services, getPlan: () => Promise.reject(new Error('away')) });
  await t.rejects(broken({ exportId: id }), 'so that it is tried again');
  t.same(await listExportFilesOf(app, user), [], 'no partial file');
  await work({ exportId: id });
  t.equal((await listExportFilesOf(app, user)).length, 1);
  await work({ exportId: id });
  t.equal((await listExportFilesOf(app, user)).length, 1, 'a repeat does nothing');

  const next = (await requestExportOf(app, user)).body.id;
  for (let tries = 1; tries < 4; tries += 1) await t.rejects(broken({ exportId: next }));
  await broken({ exportId: next });
  const failed = await app.call('GET', `${EXPORTS}/${next}`, { token: user.accessToken });
  t.match(failed.body, { status: 'FAILED', contentUrl: null });
  t.equal((await requestExportOf(app, user)).status, 201, 'another export can be requested');
});

t.test(
  'creates no archive without a key if enterprise mode is enabled before or during the job',
  async (t) => {
    const { services, database } = app;
    for (const switchedOn of ['before', 'meanwhile']) {
      const user = createTestUserData();
      const { id } = (await requestExportOf(app, user)).body;
      const enterpriseOn = () =>
        database.client.user.update({ where: { id: user.id }, data: { enterpriseMode: true } });
      if (switchedOn === 'before') await enterpriseOn();
      const work = createMakeDataExportJob({
        ...services,
        getPlan: async (...of) => {
          t.equal(switchedOn, 'meanwhile', 'nothing is read if it was enabled before');
          await enterpriseOn();
          return services.getPlan(...of);
        },
      });
      const trail = await captureAuditEntries(app, () => work({ exportId: id }));
      t.match(trail, [{ action: 'DATA_EXPORT_FAILED', outcome: 'FAILURE' }], switchedOn);
      t.equal(trail.length, 1);
      t.same(await listExportFilesOf(app, user), [], 'no file');
      t.equal((await database.client.dataExport.findUniqueOrThrow({ where: { id } })).status, 'FAILED');
    }
  },
);

t.test('two workers with one export create one file', async (t) => {
  const user = createTestUserData();
  const { id } = (await requestExportOf(app, user)).body;
  const work = createMakeDataExportJob(app.services);
  await Promise.all([work({ exportId: id }), work({ exportId: id })]);
  t.equal((await listExportFilesOf(app, user)).length, 1);
  const { bytes } = await fetchBytes(app, `${EXPORTS}/${id}/content`, user.accessToken);
  t.match(await readExportData(bytes), { profile: { id: user.id } }, 'and its key opens it');
});

t.test('the clean-up removes expired archives, and fails exports without a job', async (t) => {
  const user = createTestUserData();
  const { id } = (await requestExportOf(app, user)).body;
  await createMakeDataExportJob(app.services)({ exportId: id });
  await cleanUpDataExports(app.services);
  t.equal((await listExportFilesOf(app, user)).length, 1);

  await app.database.client.dataExport.update({ where: { id }, data: { expiresAt: new Date() } });
  t.ok(
    isProblem(
      await app.call('GET', `${EXPORTS}/${id}/content`, { token: user.accessToken }),
      404,
      'NOT_FOUND',
    ),
  );
  const trail = await captureAuditEntries(app, () => cleanUpDataExports(app.services));
  t.match(trail, [{ action: 'DATA_EXPORT_REMOVED' }]);
  t.same(await listExportFilesOf(app, user), []);
  t.equal(await app.database.client.dataExport.count({ where: { id } }), 0);

  const lost = (await requestExportOf(app, user)).body.id;
  await cleanUpDataExports(app.services);
  t.equal(
    (await app.database.client.dataExport.findUniqueOrThrow({ where: { id: lost } })).status,
    'WAITING',
  );
  await app.database.pool.query("DELETE FROM pgboss.job WHERE name = 'export-data'");
  await cleanUpDataExports(app.services);
  t.equal((await app.database.client.dataExport.findUniqueOrThrow({ where: { id: lost } })).status, 'FAILED');
});

t.test('an attempt that another one has overtaken stores nothing and stops reading', async (t) => {
  const user = createTestUserData();
  const { id } = (await requestExportOf(app, user)).body;
  const { services } = app;
  let archive: unknown;
  const overtaken = createMakeDataExportJob({
    ...services,
    files: {
      ...services.files,
      async store(accountId, content, options) {
        archive = content;
        await app.database.client.dataExport.update({ where: { id }, data: { attempts: { increment: 1 } } });
        return services.files.store(accountId, content, options);
      },
    },
  });
  await overtaken({ exportId: id });
  t.match(archive, { destroyed: true });
  t.same(await listExportFilesOf(app, user), []);
  t.match(await app.database.client.dataExport.findUniqueOrThrow({ where: { id } }), { status: 'WAITING' });
});

t.test('an erasure during an export leaves no file', async (t) => {
  const user = createTestUserData();
  const { id } = (await requestExportOf(app, user)).body;
  const { services } = app;
  const late = createMakeDataExportJob({
    ...services,
    getPlan: async (db, userId, language) => {
      const plan = await services.getPlan(db, userId, language);
      t.equal((await eraseAccountOf(app, user)).status, 200);
      return plan;
    },
  });
  await late({ exportId: id });
  t.same(await listExportFilesOf(app, user), []);
  t.equal(await app.database.client.dataExport.count({ where: { id } }), 0);
});

t.test('no page of the list by cursor has an expired export', async (t) => {
  const user = createTestUserData();
  const rows = Array.from({ length: 4 }, (_, index) => ({
    id: generateId(),
    userId: user.id,
    status: 'FAILED',
    createdAt: new Date(Date.now() - index * 1_000),
    expiresAt: new Date(Date.now() + (index === 2 ? -1 : 1) * 60_000),
  }));
  await app.database.client.dataExport.createMany({ data: rows });
  const ids: string[] = [];
  for (let cursor: string | null = 'start'; cursor !== null; ) {
    const url: string = `${EXPORTS}?limit=1&cursor=${cursor}`;
    const { body } = await app.call('GET', url, { token: user.accessToken });
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.nextCursor;
  }
  t.same(ids, [rows[0]?.id, rows[1]?.id, rows[3]?.id]);
});
