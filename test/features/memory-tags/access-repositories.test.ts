import { randomBytes } from 'node:crypto';
import { findPicture } from '../../../src/features/files/pictures/gallery.repository.ts';
import { deleteCaretaker } from '../../../src/features/memory-tags/caretaker.repository.ts';
import { deleteGuestBookEntry } from '../../../src/features/memory-tags/guest-book.repository.ts';
import {
  findEditableMemoryTag,
  lockOwnMemoryTag,
} from '../../../src/features/memory-tags/memory-tag-access.ts';
import { hasActiveBreakGlassGrant } from '../../../src/platform/break-glass.repository.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { insertTestUser, openClonedDatabase } from '../../clone-database.ts';
import { t } from '../../tap.ts';

const database = await openClonedDatabase(t);
const { client } = database;
const [owner, caretaker, other] = [
  await insertTestUser(database),
  await insertTestUser(database),
  await insertTestUser(database),
];
const [tagId, foreignId] = [await insertTag(owner), await insertTag(other)];

async function insertTag(accountId: string): Promise<string> {
  const id = generateId();
  await client.memoryTag.create({ data: { id, accountId, name: 'Ada' }, select: { id: true } });
  return id;
}

t.test('a memory tag is edited by its owner and its caretakers', async (t) => {
  const id = generateId();
  await client.memoryTagCaretaker.create({
    data: {
      id,
      memoryTagId: tagId,
      accountId: owner,
      userId: caretaker,
      email: randomBytes(40),
      emailHash: randomBytes(32),
    },
  });
  const lockOwn = (userId: string) => database.transaction((tx) => lockOwnMemoryTag(tx, userId, tagId));
  t.match(await findEditableMemoryTag(client, owner, tagId), { role: 'OWNER' });
  t.match(await findEditableMemoryTag(client, caretaker, tagId), { role: 'CARETAKER' });
  t.equal(await findEditableMemoryTag(client, other, tagId), null);
  t.equal(await findEditableMemoryTag(client, caretaker, foreignId), null, 'of another memory tag');
  t.match(await lockOwn(owner), { id: tagId });
  await t.rejects(lockOwn(caretaker), { code: 'FORBIDDEN' });
  await t.rejects(lockOwn(other), { code: 'NOT_FOUND' });
  const remove = (memoryTagId: string) =>
    database.transaction((tx) => deleteCaretaker(tx, { id: memoryTagId, accountId: owner }, id));
  t.equal(await remove(foreignId), false);
  t.equal(await remove(tagId), true);
});

t.test('an entry and a picture are of their memory tag', async (t) => {
  const [entryId, pictureId, fileId] = [generateId(), generateId(), generateId()];
  const content = randomBytes(40);
  await client.guestBookEntry.create({
    data: { id: entryId, memoryTagId: tagId, accountId: owner, content, createdAt: new Date() },
    select: { id: true },
  });
  const remove = (id: string) => database.transaction((tx) => deleteGuestBookEntry(tx, id, entryId));
  t.equal(await remove(foreignId), false);
  t.equal(await remove(tagId), true);

  await client.storedFile.create({
    data: { id: fileId, accountId: owner, name: `${fileId}12345678`, fileKey: randomBytes(60) },
  });
  await client.picture.create({
    data: {
      id: pictureId,
      memoryTagId: tagId,
      accountId: owner,
      fileId,
      format: 'jpeg',
      width: 8,
      height: 8,
      size: 5,
      position: 1,
    },
    select: { id: true },
  });
  t.match(await findPicture(client, owner, { memoryTagId: tagId }, pictureId), { id: pictureId });
  t.equal(await findPicture(client, owner, { memoryTagId: foreignId }, pictureId), null);
});

t.test('emergency access is of one administrator for one record, and expires', async (t) => {
  const resourceId = generateId();
  const hasAccess = (administratorId = caretaker, type: 'QRCODE' | 'SCAN' = 'QRCODE', id = resourceId) =>
    hasActiveBreakGlassGrant(client, administratorId, type, id);
  const data = { id: generateId(), administratorId: caretaker, accountId: owner, reason: randomBytes(40) };
  await client.breakGlassGrant.create({
    data: { ...data, resourceType: 'QRCODE', resourceId, expiresAt: new Date(Date.now() + 60_000) },
  });
  t.equal(await hasAccess(), true);
  t.equal(await hasAccess(other), false);
  t.equal(await hasAccess(caretaker, 'SCAN'), false);
  t.equal(await hasAccess(caretaker, 'QRCODE', generateId()), false);
  await client.breakGlassGrant.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  t.equal(await hasAccess(), false, 'expired');
});
