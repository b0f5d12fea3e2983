import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createPetBody,
  createQrCodeClient,
  createTestCode,
  fetchImage,
  listImagesOnDisk,
  runAsDatabaseOwner,
} from './code-helper.ts';

t.test('the image of a deleted code is gone at once, and restoring draws it again', async (t) => {
  const app = await startTestApp(t);
  const owner = await app.createUser();
  const call = createQrCodeClient(app, owner);
  const code = await createTestCode(app, owner);
  const read = (url: string) => app.call('GET', new URL(url).pathname);
  t.equal((await read(code.imageUrl)).status, 200);
  await call('DELETE', `/${code.id}`);
  t.equal((await read(code.imageUrl)).status, 404);
  t.strictSame(await listImagesOnDisk(app), []);
  const restored = await call('POST', `/${code.id}/restore`);
  t.equal(restored.status, 200, restored.text);
  t.equal((await read(restored.body.imageUrl)).status, 200);
  t.ok(await isQrCodeDecodableAs(await fetchImage(app, restored.body), code.scanUrl));
  t.equal((await listImagesOnDisk(app)).length, 1);
  await call('DELETE', `/${code.id}`);
  t.equal((await call('POST', `/${code.id}/restore`)).status, 200, 'again');
});

t.test('who deletes very many codes waits before the next one', async (t) => {
  const app = await startTestApp(t);
  const [owner, other] = [await app.createUser(), await app.createUser()];
  const call = createQrCodeClient(app, owner);
  const { id } = await createTestCode(app, owner);
  await call('DELETE', `/${id}`);
  const addDeleted = (count: number, from: number) =>
    runAsDatabaseOwner(
      app,
      `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, status, deleted_at, data, visibility, design)
       SELECT lpad(to_hex(n), 24, '0'), account_id, kind, mode, title, slug, status, deleted_at, data, visibility, design
       FROM qr_codes, generate_series(${from}, ${from + count - 1}) AS n WHERE qr_codes.id = '${id}'`,
    );
  await addDeleted(198, 1);
  t.equal((await call('POST', '', createPetBody())).status, 201);
  await addDeleted(1, 1_000);
  const refused = await call('POST', '', createPetBody());
  t.match(refused, { status: 429, body: { code: 'RATE_LIMITED' } });
  t.ok(Number(refused.headers['retry-after']) > 80_000, 'until a day after the first deletion');
  await createTestCode(app, other);
  await runAsDatabaseOwner(
    app,
    "UPDATE qr_codes SET deleted_at = now() - interval '25 hours' WHERE deleted_at IS NOT NULL",
  );
  t.equal((await call('POST', '', createPetBody())).status, 201, 'a day later');

  await runAsDatabaseOwner(
    app,
    `UPDATE qr_codes SET deleted_at = now(), data = decode(repeat('ab', 900000), 'hex') WHERE deleted_at IS NOT NULL
     AND id IN (SELECT lpad(to_hex(n), 24, '0') FROM generate_series(1, 9) AS n)`,
  );
  t.equal((await call('POST', '', createPetBody())).status, 429, 'by bytes, too');
});
