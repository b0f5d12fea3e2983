import { isId } from '../../../src/shared/ids.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createPetBody, createQrCodeClient, createTestCode } from './code-helper.ts';

t.test('ids of codes carry the cell after their time, however codes are created', async (t) => {
  for (const [settings, cellId] of [
    [{}, '00'],
    [{ CELL_ID: 'B4' }, 'b4'],
  ] as const) {
    const app = await startTestApp(t, settings);
    const owner = await app.createUser();
    const call = createQrCodeClient(app, owner);
    const before = Math.floor(Date.now() / 1000);
    const { id } = await createTestCode(app, owner);
    const { body } = await call('POST', '/bulk', { items: [createPetBody(), createPetBody()] });
    const put = await call('PUT', '/by-external-id/tag-1', createPetBody());
    const ids: string[] = [id, ...body.data.map((item: { id: string }) => item.id), put.body.id];
    for (const one of ids) {
      t.ok(isId(one), one);
      t.equal(one.slice(8, 10), cellId);
      t.ok(Number.parseInt(one.slice(0, 8), 16) >= before, 'the time is first, so that ids sort by creation');
    }
    t.equal(new Set(ids.map((one) => one.slice(10))).size, 4, 'the rest is random');
  }
});
