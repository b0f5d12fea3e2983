import type { FastifyReply } from 'fastify';
import { createTableExportStream, sendTableExport } from '../../src/platform/table-export.ts';
import { generateId } from '../../src/shared/ids.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';

async function* generateForever() {
  for (;;) yield [JSON.stringify({ id: generateId() })];
}

const open = (userId: string) => createTableExportStream(userId, generateForever(), ['id'], 'csv');

t.test('an account has up to three exports at a time, and others are not affected', async (t) => {
  const { call, database, createUser } = await startTestApp(t);
  const user = await createUser();
  const exportCodes = async () =>
    (await call('GET', '/api/qrcodes/export', { token: user.accessToken })).status;
  const exports = [open(user.id), open(user.id), open(user.id)];
  t.equal(await exportCodes(), 429);
  const recorded = { action: 'QRCODES_EXPORTED' };
  t.equal(await database.client.auditEntry.count({ where: recorded }), 0, 'a refused one is not recorded');
  const other = open(generateId());
  t.equal((await other[Symbol.asyncIterator]().next()).value.toString(), 'id\r\n');
  other.destroy();
  for (const stream of exports) {
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    t.equal(await exportCodes(), 200);
  }
  t.equal(await database.client.auditEntry.count({ where: recorded }), 3);
});

t.test('an export that cannot be recorded is closed', async (t) => {
  const content = open(generateId());
  const closed = new Promise((resolve) => content.once('close', resolve));
  const record = () => Promise.reject(new Error('no database'));
  await t.rejects(sendTableExport({} as FastifyReply, content, record), { message: 'no database' });
  await closed;
});
