import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { checkFilesAndRecordFindings } from '../../../src/features/system/file-check/check-files.job.ts';
import { startTestApp } from '../../helper.ts';
import { startS3Server } from '../../s3-server.ts';
import { t } from '../../tap.ts';
import {
  createQrCodeClient,
  createTestCode,
  fetchImage,
  listImagesInDatabase,
  listImagesOnDisk,
} from '../codes/code-helper.ts';
import { createProfileForm, createTestPhoto } from '../identity/accounts/helper.ts';

t.test('with a bucket, pictures and images are stored there, and nothing on the disk', async (t) => {
  const server = await startS3Server(t);
  const app = await startTestApp(t, server.environment);
  const createUser = await app.createUser();
  const { publicFiles } = app.services;

  await t.test('stores, serves, replaces and removes them', async (t) => {
    const code = await createTestCode(app, createUser);
    const { pathname } = new URL(code.imageUrl);
    const served = await app.app.inject(pathname);
    t.match(served, { statusCode: 200, headers: { 'content-type': 'image/png' } });
    t.same(served.rawPayload, await fetchImage(app, code));
    const design = { foreground: '#102030' };
    t.match(await createQrCodeClient(app, createUser)('PATCH', `/${code.id}`, { design }), { status: 200 });
    t.equal((await app.call('GET', pathname)).status, 404, 'the old image is gone');
    t.same(await listImagesOnDisk(app), await listImagesInDatabase(app));

    const changed = await app.call('PUT', `/api/auth/profile/${createUser.id}`, {
      token: createUser.accessToken,
      ...createProfileForm({}, await createTestPhoto()),
    });
    t.match(await app.call('GET', new URL(changed.body.profilePictureUrl).pathname), { status: 200 });
    const folders: string[] = [];
    for await (const { name } of publicFiles.list()) folders.push(name.split('/')[0] ?? '');
    t.same(folders.toSorted(), ['profile-pictures', 'qrcodes']);
    t.same(await readdir(app.services.config.uploadsDir).catch(() => []), []);
  });

  await t.test('redraws a lost image', async (t) => {
    const [lost = ''] = await listImagesOnDisk(app);
    await publicFiles.remove(`qrcodes/${lost}`);
    t.match((await checkFilesAndRecordFindings(app.services)).byProblem, {
      MISSING: { repaired: 1, unrepaired: 0 },
    });
    const [drawn = ''] = await listImagesOnDisk(app);
    t.not(drawn, lost);
    t.same([drawn], await listImagesInDatabase(app));
    const stream = await publicFiles.open(`qrcodes/${drawn}`);
    t.ok(stream && (await buffer(stream)).length > 100);
    t.match((await checkFilesAndRecordFindings(app.services)).byProblem, {
      MISSING: { repaired: 0, unrepaired: 0 },
    });
  });

  await t.test(
    'a picture that cannot be removed does not fail the change, and stays in the bucket',
    async (t) => {
      const put = async () =>
        app.call('PUT', `/api/auth/profile/${createUser.id}`, {
          token: createUser.accessToken,
          ...createProfileForm({}, await createTestPhoto()),
        });
      server.override = ({ method }, response) => {
        if (method !== 'DELETE') return false;
        response.writeHead(503).end();
        return true;
      };
      t.match(await put(), { status: 200 });
      server.override = null;
      let pictures = 0;
      for await (const { name } of publicFiles.list())
        if (name.startsWith('profile-pictures/')) pictures += 1;
      t.equal(pictures, 2);
    },
  );

  await t.test('creates nothing and responds 503 while the server is unavailable', async (t) => {
    const before = await listImagesInDatabase(app);
    await server.stop();
    const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
    const answer = await app.call('POST', '/api/qrcodes', { token: createUser.accessToken, body });
    t.match(answer, { status: 503, body: { code: 'PROVIDER_UNAVAILABLE' }, headers: { 'retry-after': '5' } });
    t.match(await app.call('GET', `/uploads/qrcodes/${before[0]}`), { status: 503 });
    t.same(await listImagesInDatabase(app), before);
  });
});
