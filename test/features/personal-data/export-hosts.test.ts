import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { buildApp } from '../../../src/app.ts';
import { createEncryptedFileStore } from '../../../src/features/files/encrypted-file-store.ts';
import { cleanUpDataExports } from '../../../src/features/personal-data/clean-up-exports.use-case.ts';
import { createMakeDataExportJob } from '../../../src/features/personal-data/make-export.job.ts';
import { createServices } from '../../../src/services.ts';
import { startTestApp, TEST_PASSWORD, TEST_SECRETS, type TestApp, type TestUser } from '../../helper.ts';
import { startS3Server } from '../../s3-server.ts';
import { t } from '../../tap.ts';
import { fetchBytes, listAllPrivateFiles, readExportData, waitForErasures } from './helper.ts';

const EXPORTS = '/api/auth/exports';

const bucket = await startS3Server(t);
const hostA = await startTestApp(t, bucket.environment);
const hostB = await startHost(t, hostA);
const worker = await startHost(t, hostA);
const users: TestUser[] = [];

/** Start another host: the same database and bucket, its own folders. */
async function startHost(t: Test, first: TestApp): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-host-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const services = createServices({
    config: { ...first.services.config, dataDir, uploadsDir: join(dataDir, 'uploads') },
    secrets: TEST_SECRETS,
    database: first.database,
    log: { info() {}, warn() {}, error() {} },
  });
  const app = await buildApp(services, false);
  await app.ready();
  t.teardown(async () => {
    await app.close();
    await services.closeFiles();
  });
  return { ...first, app, services, dataDir };
}

function takeUser(): TestUser {
  const user = users.pop();
  if (!user) throw new Error('No more users.');
  return user;
}

/** Request an archive at one host and build it at another. */
async function makeArchive({ accessToken: token }: TestUser): Promise<string> {
  const requested = await hostA.call('POST', EXPORTS, { token, body: { password: TEST_PASSWORD } });
  const { id } = requested.body;
  await createMakeDataExportJob(worker.services)({ exportId: id });
  return id;
}

/** Erase an account to the end, at a host that did not store its files. */
async function eraseAtB({ accessToken }: TestUser): Promise<void> {
  await hostB.app.inject({
    method: 'DELETE',
    url: '/api/auth/account',
    headers: { authorization: `Bearer ${accessToken}` },
    payload: { password: TEST_PASSWORD },
  });
  await hostB.services.jobs.start();
  await waitForErasures(hostB);
  await hostB.services.jobs.stop();
}

t.test('creates users, and stops the jobs for the following tests', async () => {
  while (users.length < 5) users.push(await hostA.createUser());
  await hostA.services.jobs.stop();
});

t.test('an archive built by a worker can be downloaded at every host', async (t) => {
  const user = takeUser();
  const token = user.accessToken;
  const id = await makeArchive(user);
  const ready = await hostA.call('GET', `${EXPORTS}/${id}`, { token });
  t.match(ready.body, { status: 'READY' });
  const [atA, atB] = [
    await fetchBytes(hostA, `${EXPORTS}/${id}/content`, token),
    await fetchBytes(hostB, `${EXPORTS}/${id}/content`, token),
  ];
  t.equal(atB.status, 200);
  t.equal(atB.bytes.length, ready.body.size);
  t.ok(atA.bytes.equals(atB.bytes), 'the same bytes at both hosts');
  t.match(await readExportData(atB.bytes), { profile: { email: user.email } });
  t.equal((await listAllPrivateFiles(hostB)).length, 1);
  for (const { dataDir } of [hostA, hostB, worker])
    t.same(
      (await readdir(dataDir)).filter((name) => name !== 'mailbox'),
      [],
      'no file on a host',
    );
});

t.test('an erasure at one host removes the archive that another one stored', async (t) => {
  const user = takeUser();
  const before = await listAllPrivateFiles(hostB);
  await makeArchive(user);
  t.equal((await listAllPrivateFiles(hostB)).length, before.length + 1);
  await eraseAtB(user);
  const objects: string[] = [];
  for await (const { name } of hostA.services.privateFiles.list()) objects.push(name);
  t.same(objects.toSorted(), before.toSorted());
});

t.test('an expired archive is removed by any host', async (t) => {
  const user = takeUser();
  const before = await listAllPrivateFiles(hostA);
  const id = await makeArchive(user);
  await hostA.database.client.dataExport.update({ where: { id }, data: { expiresAt: new Date() } });
  await cleanUpDataExports(hostB.services);
  t.same((await listAllPrivateFiles(hostB)).toSorted(), before.toSorted());
  t.equal(await hostA.database.client.dataExport.count({ where: { id } }), 0);
});

t.test('an erasure while an archive is written leaves nothing of it', async (t) => {
  for (const moment of ['before the first byte', 'after the last byte']) {
    const user = takeUser();
    const before = await listAllPrivateFiles(hostA);
    const { body } = await hostA.call('POST', EXPORTS, {
      token: user.accessToken,
      body: { password: TEST_PASSWORD },
    });
    const { services } = worker;
    const { put } = services.privateFiles;
    const privateFiles = {
      ...services.privateFiles,
      async put(...call: Parameters<typeof put>) {
        if (moment === 'before the first byte') await eraseAtB(user);
        const size = await put(...call);
        if (moment === 'after the last byte') await eraseAtB(user);
        return size;
      },
    };
    const files = createEncryptedFileStore({ ...services, privateFiles });
    await createMakeDataExportJob({ ...services, files })({ exportId: body.id });
    t.same((await listAllPrivateFiles(hostA)).toSorted(), before.toSorted(), moment);
    t.equal(await hostA.database.client.dataExport.count({ where: { userId: user.id } }), 0);
    t.equal(await hostA.database.client.storedFile.count({ where: { accountId: user.id } }), 0);
  }
});
