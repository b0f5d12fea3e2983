import { setImmediate } from 'node:timers/promises';
import sharp from 'sharp';
import type { Test } from 'tap';
import { startTestApp } from '../../helper.ts';
import { createLogo } from '../../platform/qr-image/logo-helper.ts';
import { t } from '../../tap.ts';
import { createPetBody, createQrCodeClient, createTestCode } from './code-helper.ts';

/** Count what this process decodes or draws itself. */
function countOwnWork(t: Test) {
  let drawings = 0;
  const countDrawing = () => {
    drawings += 1;
  };
  sharp.queue.on('change', countDrawing);
  t.teardown(() => sharp.queue.off('change', countDrawing));
  const decoders = t.capture(Reflect.get(globalThis, 'WebAssembly'), 'instantiate');
  return () => ({ drawings, decoders: decoders().length });
}

t.test('images are drawn and read again in another process', async (t) => {
  const app = await startTestApp(t);
  const owner = await app.createUser();
  const logo = await createLogo('#cc0000');
  const getOwnWork = countOwnWork(t);
  const call = createQrCodeClient(app, owner);
  const code = await createTestCode(app, owner, { design: { logo } });
  t.equal((await call('PUT', `/${code.id}`, { design: { size: 600 } })).status, 200);
  for (const format of ['png', 'svg', 'pdf']) {
    t.equal((await call('GET', `/${code.id}/image?format=${format}`)).status, 200);
    t.equal((await call('POST', '/render', { ...createPetBody({ design: { logo } }), format })).status, 200);
  }
  t.strictSame(getOwnWork(), { drawings: 0, decoders: 0 });
});

t.test('errors of a drawing name the field and the reason', async (t) => {
  const app = await startTestApp(t);
  const call = createQrCodeClient(app, await app.createUser());
  const broken = await call(
    'POST',
    '/render',
    createPetBody({ design: { logo: 'data:image/png;base64,AAAA' } }),
  );
  t.match(broken, { status: 400, body: { errors: [{ field: 'design.logo', code: 'INVALID_IMAGE' }] } });
  const pale = await call('POST', '/render', createPetBody({ design: { foreground: '#eeeeee' } }));
  t.match(pale, { status: 400, body: { code: 'IMAGE_NOT_SCANNABLE', errors: [{ code: 'LOW_CONTRAST' }] } });
});

t.test('a dozen large renders of one account wait in its own queue; others are served', async (t) => {
  const app = await startTestApp(t);
  const [busy, other] = [await app.createUser(), await app.createUser()];
  const design = { size: 2048, logo: await createLogo('#cc0000') };
  const render = (user: typeof busy) =>
    createQrCodeClient(app, user)('POST', '/render', createPetBody({ design }));
  const renders = Array.from({ length: 12 }, () => render(busy));
  await setImmediate();
  const first = await Promise.race([render(other), Promise.all(renders)]);
  t.match(first, { status: 200 }, 'the other account is served before the queue of the first ends');
  const answers = await Promise.all(renders);
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]));
});
