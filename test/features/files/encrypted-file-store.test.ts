import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { deleteAbandonedFiles } from '../../../src/features/files/delete-abandoned-files.ts';
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
  const kept = await files.store(owner, Readable.from([content]), GENEROUS);
  await database.transaction((tx) => files.commit(tx, kept));
  return kept;
}

async function rowOf(id: string) {
  const [row] = await queryDatabase(app, 'SELECT * FROM stored_files WHERE id = $1', id);
  return row;
}

async function onDisk(): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true });
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

t.test('A file comes back whole and in part, and nothing of it lies about in clear', async (t) => {
  const content = Buffer.concat([Buffer.from('the scan of a passport'), randomBytes(200_000)]);
  const { id, size } = await stored(content);
  t.equal(size, content.length);
  const stream = await files.open(database.client, id);
  t.ok(stream && (await buffer(stream)).equals(content));
  const part = await files.open(database.client, id, { first: 65_530, last: 65_545 });
  t.ok(part && (await buffer(part)).equals(content.subarray(65_530, 65_546)));
  const { name } = await rowOf(id);
  const bytes = await readFile(join(folder, (await find(name)) ?? ''));
  t.notOk(bytes.includes('passport'));
  t.notMatch(name, id);
});

t.test('Nothing stays of a content that is too large or breaks off', async (t) => {
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

t.test('What nothing names is dropped, and what something names is not', async (t) => {
  const kept = await files.store(owner, Readable.from([Buffer.from('x')]), GENEROUS);
  t.equal(await files.open(database.client, kept.id), null, 'nothing opens before it is settled');
  await files.discardPending(kept);
  await t.rejects(
    database.transaction((tx) => files.commit(tx, kept)),
    'nothing comes to name what was dropped',
  );
  const named = await stored(Buffer.from('y'));
  await files.discardPending(named);
  t.ok(await files.open(database.client, named.id).then((stream) => stream?.destroy()));
  await removeAll();
  t.equal(await rowOf(kept.id), undefined);
});

t.test('What is given up opens no more at once, and then is gone', async (t) => {
  const { id } = await stored(Buffer.from('z'));
  const { name } = await rowOf(id);
  await t.rejects(
    database.transaction(async (tx) => {
      await files.remove(tx, [id]);
      throw new Error('It did not come to that.');
    }),
  );
  t.ok((await rowOf(id)).file_key, 'a transaction that fails gives nothing up');
  await database.transaction((tx) => files.remove(tx, [id]));
  t.equal(await files.open(database.client, id), null);
  t.equal((await rowOf(id)).file_key, null, 'the key is gone before the bytes are');
  await removeAll();
  t.equal(await rowOf(id), undefined);
  t.notOk((await onDisk()).includes(name));
});

t.test('Clean-up takes what a kill left, and leaves what is being written', async (t) => {
  const [old, young] = await Promise.all([1, 2].map(() => files.store(owner, Readable.from([]), GENEROUS)));
  await queryDatabase(
    app,
    "UPDATE stored_files SET created_at = now() - interval '25 hours' WHERE id = $1",
    old?.id,
  );
  const config = { maxDocumentBytes: 3_000_000_000 };
  await deleteAbandonedFiles({ ...services, config });
  t.ok(await rowOf(old?.id ?? ''), 'of the largest it may still be written');
  await deleteAbandonedFiles(services);
  t.equal(await rowOf(old?.id ?? ''), undefined);
  t.ok(await rowOf(young?.id ?? ''));
});

t.test('What cannot be given up is in the log, with nothing of why but its name', async (t) => {
  const lines: unknown[][] = [];
  const away = () =>
    Promise.reject(Object.assign(new Error('postgres://user:secret@host'), { code: '57P01' }));
  const keeper = createEncryptedFileStore({
    ...services,
    database: { ...database, transaction: away },
    log: { warn: (...line) => void lines.push(line) },
  });
  const kept = await keeper.store(owner, Readable.from([Buffer.from('x')]), GENEROUS);
  await keeper.discardPending(kept);
  t.strictSame(lines, [
    [{ fileId: kept.id }, 'files: one could not be given up, left to the clean-up (57P01)'],
  ]);
  await files.discardPending(kept);
  await removeAll();
});

t.test('A file that was cut off, or is not there, is damage and not an answer', async (t) => {
  const { id } = await stored(randomBytes(150_000));
  const path = join(folder, (await find((await rowOf(id)).name)) ?? '');
  await truncate(path, 100_000);
  const stream = await files.open(database.client, id);
  await t.rejects(buffer(stream ?? Readable.from([])), { code: 'DATA_INTEGRITY' });
  await truncate(path, 50_000);
  await t.rejects(files.open(database.client, id), { code: 'DATA_INTEGRITY' });
  await rm(path);
  await t.rejects(files.open(database.client, id), { code: 'DATA_INTEGRITY' });
});

t.test('A store that breaks off is one that is away, and no damage', async (t) => {
  const { id } = await stored(randomBytes(200_000));
  const { privateFiles } = services;
  for (const pieces of [0, 1, 3]) {
    async function* cut(whole: Readable) {
      let left = pieces;
      for await (const chunk of whole) {
        if (left-- === 0) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
        yield chunk;
      }
    }
    const open: typeof privateFiles.open = async (...of) => {
      const whole = await privateFiles.open(...of);
      return whole && Readable.from(cut(whole));
    };
    const keeper = createEncryptedFileStore({ ...services, privateFiles: { ...privateFiles, open } });
    const read = async () => buffer((await keeper.open(database.client, id)) ?? Readable.from([]));
    await t.rejects(read(), { code: 'PROVIDER_UNAVAILABLE', retryAfterSeconds: 5 }, `after ${pieces}`);
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
