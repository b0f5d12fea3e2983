import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { deleteAbandonedFiles } from '../../../src/features/files/delete-abandoned-files.use-case.ts';
import { createEncryptedFileStore } from '../../../src/features/files/encrypted-file-store.ts';
import { createRemoveFilesJob } from '../../../src/features/files/remove-files.job.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { queryDatabase } from '../identity/accounts/helper.ts';

const app = await startTestApp(t);
const { database, services } = app;
const { files } = services;
const { id: owner } = await app.createUser();
const folder = join(app.dataDir, 'files');
const GENEROUS = { maxBytes: 10_000_000 };

async function stored(content: Buffer) {
  const file = await files.store(owner, Readable.from([content]), GENEROUS);
  await database.transaction((tx) => files.commit(tx, file));
  return file;
}

async function findRow(id: string) {
  const [row] = await queryDatabase(app, 'SELECT * FROM stored_files WHERE id = $1', id);
  return row;
}

async function onDisk(): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true });
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

t.test('returns a whole file or a range, and stores no plaintext', async (t) => {
  const content = Buffer.concat([Buffer.from('the scan of a passport'), randomBytes(200_000)]);
  const { id, size } = await stored(content);
  t.equal(size, content.length);
  const stream = await files.open(database.client, owner, id);
  t.ok(stream && (await buffer(stream)).equals(content));
  const part = await files.open(database.client, owner, id, { first: 65_530, last: 65_545 });
  t.ok(part && (await buffer(part)).equals(content.subarray(65_530, 65_546)));
  const { name } = await findRow(id);
  const bytes = await readFile(join(folder, (await find(name)) ?? ''));
  t.notOk(bytes.includes('passport'));
  t.notMatch(name, id);
});

t.test('stores nothing of content that is too large or fails', async (t) => {
  const before = await onDisk();
  const large = files.store(owner, Readable.from([Buffer.alloc(101)]), { maxBytes: 100 });
  await t.rejects(large, { code: 'PAYLOAD_TOO_LARGE' });
  async function* broken() {
    yield randomBytes(100_000);
    throw new Error('The sender went away.');
  }
  await t.rejects(files.store(owner, broken(), GENEROUS), { message: 'The sender went away.' });
  t.strictSame(await onDisk(), before);
  await removeAll();
  const rows = await queryDatabase(app, "SELECT 1 FROM stored_files WHERE state <> 'STORED'");
  t.strictSame(rows, []);
});

t.test('discards unreferenced files and keeps referenced ones', async (t) => {
  const file = await files.store(owner, Readable.from([Buffer.from('x')]), GENEROUS);
  t.equal(await files.open(database.client, owner, file.id), null, 'nothing opens before it is settled');
  await files.discardPending(file);
  await t.rejects(
    database.transaction((tx) => files.commit(tx, file)),
    'nothing comes to name what was dropped',
  );
  const named = await stored(Buffer.from('y'));
  await files.discardPending(named);
  t.ok(await files.open(database.client, owner, named.id).then((stream) => stream?.destroy()));
  await removeAll();
  t.equal(await findRow(file.id), undefined);
});

t.test('a removed file cannot be opened and is deleted later', async (t) => {
  const { id } = await stored(Buffer.from('z'));
  const { name } = await findRow(id);
  await t.rejects(
    database.transaction(async (tx) => {
      await files.remove(tx, [id]);
      throw new Error('It did not come to that.');
    }),
  );
  t.ok((await findRow(id)).file_key, 'a transaction that fails gives nothing up');
  await database.transaction((tx) => files.remove(tx, [id]));
  t.equal(await files.open(database.client, owner, id), null);
  t.equal((await findRow(id)).file_key, null, 'the key is gone before the bytes are');
  await removeAll();
  t.equal(await findRow(id), undefined);
  t.notOk((await onDisk()).includes(name));
});

t.test('the cleanup deletes files of killed processes and keeps running uploads', async (t) => {
  const [old, young] = await Promise.all([1, 2].map(() => files.store(owner, Readable.from([]), GENEROUS)));
  await queryDatabase(
    app,
    "UPDATE stored_files SET created_at = now() - interval '25 hours' WHERE id = $1",
    old?.id,
  );
  const config = { maxDocumentBytes: 3_000_000_000 };
  await deleteAbandonedFiles({ ...services, config });
  t.ok(await findRow(old?.id ?? ''), 'of the largest it may still be written');
  await deleteAbandonedFiles(services);
  t.equal(await findRow(old?.id ?? ''), undefined);
  t.ok(await findRow(young?.id ?? ''));
});

t.test('logs a failed removal with its error code only', async (t) => {
  const lines: unknown[][] = [];
  const failWithDatabaseError = () =>
    Promise.reject(Object.assign(new Error('postgres://user:secret@host'), { code: '57P01' }));
  const store = createEncryptedFileStore({
    ...services,
    database: { ...database, transaction: failWithDatabaseError },
    log: { warn: (...line) => void lines.push(line) },
  });
  const file = await store.store(owner, Readable.from([Buffer.from('x')]), GENEROUS);
  await store.discardPending(file);
  t.strictSame(lines, [[{ fileId: file.id }, 'files: removal failed, left to the cleanup (57P01)']]);
  await files.discardPending(file);
  await removeAll();
});

t.test('a truncated or missing file is an integrity failure', async (t) => {
  const { id } = await stored(randomBytes(150_000));
  const path = join(folder, (await find((await findRow(id)).name)) ?? '');
  await truncate(path, 100_000);
  const stream = await files.open(database.client, owner, id);
  await t.rejects(buffer(stream ?? Readable.from([])), { code: 'DATA_INTEGRITY' });
  await truncate(path, 50_000);
  await t.rejects(files.open(database.client, owner, id), { code: 'DATA_INTEGRITY' });
  await rm(path);
  await t.rejects(files.open(database.client, owner, id), { code: 'DATA_INTEGRITY' });
});

t.test('a store that fails while reading is unavailable, not an integrity failure', async (t) => {
  const { id } = await stored(randomBytes(200_000));
  const { privateFiles } = services;
  for (const chunkCount of [0, 1, 3]) {
    async function* cut(whole: Readable) {
      let left = chunkCount;
      for await (const chunk of whole) {
        if (left-- === 0) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
        yield chunk;
      }
    }
    const open: typeof privateFiles.open = async (...of) => {
      const whole = await privateFiles.open(...of);
      return whole && Readable.from(cut(whole));
    };
    const store = createEncryptedFileStore({ ...services, privateFiles: { ...privateFiles, open } });
    const read = async () => buffer((await store.open(database.client, owner, id)) ?? Readable.from([]));
    await t.rejects(read(), { code: 'PROVIDER_UNAVAILABLE', retryAfterSeconds: 5 }, `after ${chunkCount}`);
  }
});

async function find(name: string): Promise<string | undefined> {
  const found = await readdir(folder, { recursive: true });
  return found.find((path) => path.endsWith(name));
}

/** Run waiting jobs. */
async function removeAll(): Promise<void> {
  const rows = await queryDatabase(app, "SELECT id FROM stored_files WHERE state = 'REMOVED'");
  for (const { id } of rows) await createRemoveFilesJob(services)({ fileId: id });
}
