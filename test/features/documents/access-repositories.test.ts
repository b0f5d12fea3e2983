import { randomBytes } from 'node:crypto';
import { findOwnDocument } from '../../../src/features/documents/document.repository.ts';
import {
  deleteReceivedDocumentGrant,
  findReceivedDocument,
} from '../../../src/features/documents/grants/grant.repository.ts';
import {
  countViewAndInsertShareAccess,
  findShareAccess,
} from '../../../src/features/documents/shares/document-access.repository.ts';
import {
  endDocumentShare,
  findSharedDocument,
} from '../../../src/features/documents/shares/share.repository.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { insertTestUser, openClonedDatabase } from '../../clone-database.ts';
import { t } from '../../tap.ts';

const database = await openClonedDatabase(t);
const { client } = database;
const [owner, other] = [await insertTestUser(database), await insertTestUser(database)];
const documentId = await insertDocument();

async function insertDocument(): Promise<string> {
  const [id, fileId] = [generateId(), generateId()];
  await client.storedFile.create({
    data: { id: fileId, accountId: owner, name: `${fileId}12345678`, fileKey: randomBytes(60) },
  });
  await client.document.create({ data: { id, accountId: owner, title: 'Certificate' } });
  const version = { number: 1, fileId, fileName: randomBytes(40), contentType: 'application/pdf', size: 5n };
  await client.documentVersion.create({
    data: { id: generateId(), documentId: id, accountId: owner, ...version },
  });
  return id;
}

async function insertShare(maxViews: number | null = null): Promise<string> {
  const id = generateId();
  const tokenHash = randomBytes(32);
  await client.documentShare.create({ data: { id, documentId, accountId: owner, tokenHash, maxViews } });
  return id;
}

async function openShare(shareId: string): Promise<string | null> {
  const id = generateId();
  const access = { id, agent: { device: null, os: null, browser: null } as never };
  const isOpen = await database.transaction((tx) => countViewAndInsertShareAccess(tx, shareId, access));
  return isOpen ? id : null;
}

const setStatus = (status: string) =>
  client.user.update({ where: { id: owner }, data: { status }, select: { id: true } });

t.test('a document is of its owner', async (t) => {
  t.match(await findOwnDocument(client, owner, documentId), { id: documentId });
  t.equal(await findOwnDocument(client, other, documentId), null);
});

t.test('a link is opened as often as it may, and is ended by its owner', async (t) => {
  const limited = await insertShare(2);
  t.ok(await openShare(limited));
  t.ok(await openShare(limited));
  t.equal(await openShare(limited).catch(() => 'an error'), null, 'used up');

  const id = await insertShare();
  const accessId = (await openShare(id)) ?? '';
  t.match(await findShareAccess(client, accessId), { shareId: id });
  const end = (accountId: string) =>
    database.transaction((tx) => endDocumentShare(tx, { id, documentId, accountId }));
  t.equal(await end(other), false);
  t.equal(await end(owner), true);
  t.equal(await end(owner), null, 'ended before');
  t.equal(await findShareAccess(client, accessId), null, 'its downloads end with it');
  t.equal(await openShare(id), null);
});

t.test('a link to a deleted document opens nothing and uses up no view', async (t) => {
  const id = await insertShare(1);
  const setDeleted = (deletedAt: Date | null) =>
    client.document.update({ where: { id: documentId }, data: { deletedAt } });
  await setDeleted(new Date());
  t.equal(await openShare(id), null);
  await setDeleted(null);
  t.match(await client.documentShare.findUnique({ where: { id } }), { views: 0, lastOpenedAt: null });
  t.ok(await openShare(id), 'once the document is restored');
});

t.test('a granted document is read by its recipient, and not after the owner was suspended', async (t) => {
  const [id, emailHash] = [generateId(), randomBytes(32)];
  const grant = { id, documentId, accountId: owner, email: randomBytes(40), emailHash };
  await client.documentGrant.create({ data: grant });
  const share = await insertShare();
  const accessId = (await openShare(share)) ?? '';
  t.match(await findReceivedDocument(client, id, emailHash), { id, title: 'Certificate' });
  t.equal(await findReceivedDocument(client, id, randomBytes(32)), null);
  t.match(await findSharedDocument(client, share), { id: share });

  await setStatus('SUSPENDED');
  t.equal(await findReceivedDocument(client, id, emailHash), null);
  t.equal(await findSharedDocument(client, share), null);
  t.equal(await findShareAccess(client, accessId), null);
  await setStatus('ACTIVE');
  const remove = (hash: Uint8Array) =>
    database.transaction((tx) => deleteReceivedDocumentGrant(tx, id, hash));
  t.equal(await remove(randomBytes(32)), null);
  t.equal(await remove(emailHash), documentId);
});
