import {
  findRestorableQrCode,
  restoreQrCode,
  softDeleteQrCode,
} from '../../../src/features/codes/deleted-qrcode.repository.ts';
import { findOwnQrCode, findQrCode } from '../../../src/features/codes/qrcode.repository.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { insertTestUser, openClonedDatabase } from '../../clone-database.ts';
import { t } from '../../tap.ts';

const database = await openClonedDatabase(t);
const { client } = database;

async function insertCode(accountId: string): Promise<string> {
  const id = generateId();
  const data = { id, accountId, kind: 'PET', mode: 'DYNAMIC', title: 'Rex', slug: 'rex' };
  await client.qrCode.create({
    data: { ...data, data: Buffer.alloc(40), visibility: {}, design: {} },
    select: { id: true },
  });
  return id;
}

t.test('finds and changes a code only for its owner and in its state', async (t) => {
  const [owner, other] = [await insertTestUser(database), await insertTestUser(database)];
  const id = await insertCode(owner);
  const since = new Date(Date.now() - 60_000);
  const findRestorable = (userId: string) => findRestorableQrCode(client, userId, id, since);
  const remove = (userId: string) => database.transaction((tx) => softDeleteQrCode(tx, userId, id));
  const restore = (accountId: string, version: number) =>
    database.transaction((tx) =>
      restoreQrCode(tx, { id, accountId, version }, 'pet-rex-000000000000000000000000-0000000000000.png'),
    );

  await remove(other);
  t.match(await findOwnQrCode(client, owner, id), { id, status: 'ACTIVE' }, 'deleted by its owner only');
  t.equal(await findOwnQrCode(client, other, id), null);
  t.match(await findQrCode(client, id), { id });
  t.equal(await findRestorable(owner), null, 'it is not deleted');

  await remove(owner);
  const { version, deletedAt } = await client.qrCode.findUniqueOrThrow({ where: { id } });
  await remove(owner);
  t.match(await client.qrCode.findUniqueOrThrow({ where: { id } }), { version, deletedAt }, 'deleted once');
  t.equal(await findOwnQrCode(client, owner, id), null);
  t.equal(await findQrCode(client, id), null);
  t.match(await findRestorable(owner), { id });
  t.equal(await findRestorable(other), null);
  t.equal(await restore(other, version), null, 'restored by its owner only');
  t.equal(await restore(owner, version - 1), null, 'restored as it was read');
  await client.qrCode.update({ where: { id }, data: { deletedAt: new Date(since.getTime() - 1) } });
  t.equal(await findRestorable(owner), null, 'its time is over');

  const lastId = await insertCode(other);
  await client.user.update({ where: { id: other }, data: { status: 'DELETED' } });
  t.equal(await findQrCode(client, lastId), null, 'of an erased owner');
});
