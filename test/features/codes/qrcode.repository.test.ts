import {
  findOwnQrCode,
  findQrCode,
  findRestorableQrCode,
  restoreQrCode,
  softDeleteQrCode,
} from '../../../src/features/codes/qrcode.repository.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestCode } from './code-helper.ts';

t.test('finds and changes a code only for its owner and in its state', async (t) => {
  const app = await startTestApp(t);
  const { database, createUser } = app;
  const [owner, other] = [await createUser(), await createUser()];
  const { id } = await createTestCode(app, owner);
  const { client } = database;
  const since = new Date(Date.now() - 60_000);
  const findRestorable = (userId: string) => findRestorableQrCode(client, userId, id, since);
  const remove = (userId: string) => database.transaction((tx) => softDeleteQrCode(tx, userId, id));
  const restore = (ownerId: string, version: number) =>
    database.transaction((tx) => restoreQrCode(tx, { id, ownerId, version }, 'pet-x-000.png'));

  await remove(other.id);
  t.match(await findOwnQrCode(client, owner.id, id), { id, status: 'ACTIVE' }, 'deleted by its owner only');
  t.equal(await findOwnQrCode(client, other.id, id), null);
  t.match(await findQrCode(client, id), { id });
  t.equal(await findRestorable(owner.id), null, 'it is not deleted');

  await remove(owner.id);
  const { version, deletedAt } = await client.qrCode.findUniqueOrThrow({ where: { id } });
  await remove(owner.id);
  t.match(await client.qrCode.findUniqueOrThrow({ where: { id } }), { version, deletedAt }, 'deleted once');
  t.equal(await findOwnQrCode(client, owner.id, id), null);
  t.equal(await findQrCode(client, id), null);
  t.match(await findRestorable(owner.id), { id });
  t.equal(await findRestorable(other.id), null);
  t.equal(await restore(other.id, version), null, 'restored by its owner only');
  t.equal(await restore(owner.id, version - 1), null, 'restored as it was read');
  await client.qrCode.update({ where: { id }, data: { deletedAt: new Date(since.getTime() - 1) } });
  t.equal(await findRestorable(owner.id), null, 'its time is over');

  const { id: lastId } = await createTestCode(app, other);
  await client.user.update({ where: { id: other.id }, data: { status: 'DELETED' } });
  t.equal(await findQrCode(client, lastId), null, 'of an erased owner');
});
