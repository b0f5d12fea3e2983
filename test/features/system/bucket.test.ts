import { readdir } from 'node:fs/promises';
import { startTestApp } from '../../helper.ts';
import { startS3Server } from '../../s3-server.ts';
import { t } from '../../tap.ts';
import {
  createQrCodeClient,
  createTestCode,
  fetchImage,
  listImagesInDatabase,
  listImagesOnDisk,
  listOrphanedImages,
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
    t.same(await listOrphanedImages(app), []);

    const changed = await app.call('PUT', `/api/auth/profile/${createUser.id}`, {
      token: createUser.accessToken,
      ...createProfileForm({}, await createTestPhoto()),
    });
    t.match(await app.call('GET', new URL(changed.body.profilePictureUrl).pathname), { status: 200 });
    const folders: string[] = [];
    for await (const { name } of publicFiles.list()) folders.push(name.split('/')[0] ?? '');
    t.same(folders, ['profile-pictures'], 'the new image is not drawn yet');
    t.same(await readdir(app.services.config.uploadsDir).catch(() => []), []);
  });

  await t.test('draws an image when it is asked for, and again after it was lost', async (t) => {
    const [name = ''] = await listImagesInDatabase(app);
    for (const state of ['never drawn', 'lost']) {
      t.same(await listImagesOnDisk(app), [], state);
      t.match(await app.call('GET', `/uploads/qrcodes/${name}`), { status: 200 }, state);
      t.same(await listImagesOnDisk(app), [name], state);
      await publicFiles.remove(`qrcodes/${name}`);
    }
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

  await t.test(
    'creates codes while the server is unavailable, and responds 503 to requests for images',
    async (t) => {
      await server.stop();
      const { imageUrl } = await createTestCode(app, createUser);
      t.match(await app.call('GET', new URL(imageUrl).pathname), {
        status: 503,
        body: { code: 'PROVIDER_UNAVAILABLE' },
        headers: { 'retry-after': '5' },
      });
    },
  );
});
