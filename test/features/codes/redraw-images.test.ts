import { hasOutdatedQrCodeImages } from '../../../src/features/codes/find-outdated-images.ts';
import { redrawQrCodeImages } from '../../../src/features/codes/redraw-images.use-case.ts';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createQrCodeClient,
  createTestCode,
  fetchImage,
  listAuditActions,
  listOrphanedImages,
} from './code-helper.ts';

t.test(
  'redraws every image for a new base URL, and removes the old ones; a deleted code has none',
  async (t) => {
    const app = await startTestApp(t);
    const user = await app.createUser();
    const call = createQrCodeClient(app, user);
    const dynamic = await createTestCode(app, user, { design: { foreground: '#000080', size: 300 } });
    const fixed = await createTestCode(app, user, { mode: 'STATIC' });
    const deleted = await createTestCode(app, user);
    await call('DELETE', `/${deleted.id}`);
    const steps: number[] = [];
    const run = {
      progress: { step: (done: number) => steps.push(done) },
      stopping: new AbortController().signal,
    };
    const services = { ...app.services, publicBaseUrl: 'https://new.example.net' };
    t.same(await redrawQrCodeImages(services, run), { drawn: 2, failed: [] });
    t.same(steps, [1, 2]);
    // The application draws it on restoring, with its own base URL.
    await call('POST', `/${deleted.id}/restore`);
    for (const [{ id, updatedAt }, content] of [
      [dynamic, `https://new.example.net/s/${dynamic.id}`],
      [deleted, deleted.scanUrl],
      [fixed, 'Pet: Rex'],
    ] as const) {
      const { body } = await call('GET', `/${id}`);
      t.ok(await isQrCodeDecodableAs(await fetchImage(app, body), content), content);
      t.ok(body.updatedAt > updatedAt, 'a program that keeps a copy reads it again');
    }
    t.same((await call('GET', `/${dynamic.id}`)).body.design, dynamic.design);
    t.same(await listOrphanedImages(app), []);
    t.equal(
      (await listAuditActions(app)).filter(({ action }) => action === 'QRCODE_IMAGES_REBUILT').length,
      1,
    );
  },
);

t.test('finds codes whose image leads to another base URL, until all are redrawn', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const moved = { ...app.services, publicBaseUrl: 'http://192.168.1.5:3000' };
  await createTestCode(app, user, { mode: 'STATIC' });
  t.notOk(await hasOutdatedQrCodeImages(moved), 'a static code has no address');
  await fetchImage(app, await createTestCode(app, user));
  t.notOk(await hasOutdatedQrCodeImages(app.services));
  t.ok(await hasOutdatedQrCodeImages(moved));
  const run = { progress: { step: () => {} }, stopping: new AbortController().signal };
  await redrawQrCodeImages(moved, run);
  t.notOk(await hasOutdatedQrCodeImages(moved));
  await fetchImage(app, await createTestCode(app, user));
  t.ok(await hasOutdatedQrCodeImages(moved), 'a newer code of the previous address');
});

t.test('a code that fails to decrypt keeps its image, and an audit entry names it', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const bad = await createTestCode(app, user, { mode: 'STATIC' });
  await createTestCode(app, user);
  await app.database.client.qrCode.update({ where: { id: bad.id }, data: { data: Buffer.from('altered') } });
  const run = { progress: { step: () => {} }, stopping: new AbortController().signal };
  t.match(await redrawQrCodeImages(app.services, run), { drawn: 1, failed: [{ id: bad.id }] });
  t.match(
    (await listAuditActions(app, bad.id)).filter(({ action }) => action === 'DATA_INTEGRITY_FAILED'),
    [
      {
        resourceType: 'QRCODE',
        changes: ['qr_codes.data'],
        operation: 'images:rebuild',
        severity: 'CRITICAL',
      },
    ],
  );
});
