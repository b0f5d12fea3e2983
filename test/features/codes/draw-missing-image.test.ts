import { drawMissingQrCodeImage } from '../../../src/features/codes/draw-missing-image.ts';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createQrCodeClient, createTestCode, fetchImage, listImagesOnDisk } from './code-helper.ts';

t.test('an image is drawn once when it is first asked for, by however many', async (t) => {
  const app = await startTestApp(t);
  const code = await createTestCode(app, await app.createUser());
  const { pathname } = new URL(code.imageUrl);
  t.same(await listImagesOnDisk(app), [], 'creating draws nothing');
  const put = t.capture(app.services.publicFiles, 'put', app.services.publicFiles.put);
  const [head, ...responses] = await Promise.all([
    app.call('HEAD', pathname),
    ...Array.from({ length: 20 }, () => app.app.inject(pathname)),
  ]);
  t.equal(put().length, 1);
  const [first] = responses;
  t.equal(head.headers['content-length'], first?.headers['content-length']);
  for (const { statusCode, rawPayload } of responses)
    t.same([statusCode, rawPayload], [200, first?.rawPayload]);
  t.ok(await isQrCodeDecodableAs(await fetchImage(app, code), code.scanUrl));
  t.equal(
    (await app.call('GET', pathname, { headers: { 'if-none-match': String(head.headers.etag) } })).status,
    304,
  );
});

t.test('an image that no code names is not drawn', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const call = createQrCodeClient(app, user);
  const redesigned = (await call('PATCH', `/${code.id}`, { design: { foreground: '#102030' } })).body;
  const read = async (url: string) => (await app.call('GET', new URL(url).pathname)).status;
  t.equal(await read(code.imageUrl), 404, 'the name before a redesign');
  t.equal(await read(redesigned.imageUrl), 200);
  t.equal(await read(redesigned.imageUrl.replace(/\d{13}/, '1700000000000')), 404);
  await call('DELETE', `/${code.id}`);
  t.equal(await read(redesigned.imageUrl), 404);
  t.same(await listImagesOnDisk(app), []);
});

t.test('an image of a code that is deleted while it is drawn does not stay', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const { publicFiles } = app.services;
  const services = {
    ...app.services,
    publicFiles: {
      ...publicFiles,
      async put(...file: Parameters<typeof publicFiles.put>) {
        await createQrCodeClient(app, user)('DELETE', `/${code.id}`);
        return publicFiles.put(...file);
      },
    },
  };
  t.notOk(await drawMissingQrCodeImage(services, code.imageUrl.split('/').at(-1)));
  t.same(await listImagesOnDisk(app), []);
});

t.test('an image is not drawn while the code is withheld', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  await app.database.client.qrCode.update({ where: { id: code.id }, data: { takenDownAt: new Date() } });
  t.equal((await app.call('GET', new URL(code.imageUrl).pathname)).status, 410);
  t.same(await listImagesOnDisk(app), []);
});
