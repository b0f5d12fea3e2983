import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import { createDiskFileStore } from '../../../src/providers/files/disk/disk-file-store.ts';
import { FileExistsError, type FileStore } from '../../../src/providers/files/files.port.ts';
import { createS3FileStore } from '../../../src/providers/files/s3/s3-file-store.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startS3Server } from '../../s3-server.ts';
import { t } from '../../tap.ts';

const MIB = 1024 * 1024;

type Opened = (t: Test) => Promise<FileStore>;

const STORES: Record<string, Opened> = {
  'public files on the disk': async (t) => createDiskFileStore({ folder: t.testdir(), isPrivate: false }),
  'private files on the disk': async (t) => createDiskFileStore({ folder: t.testdir(), isPrivate: true }),
  'files in a bucket': async (t) => {
    const { settings } = await startS3Server(t);
    return createS3FileStore({ ...settings, prefix: 'public/' });
  },
};

for (const [title, open] of Object.entries(STORES)) {
  t.test(title, async (t) => {
    const store = await open(t);
    t.teardown(() => store.close());
    await store.prepare();
    t.same(await listFiles(store), []);

    await t.test('returns a stored file or a range', async (t) => {
      for (const size of [0, 1, 70_000, 5 * MIB, 5 * MIB + 1, 11 * MIB]) {
        const name = `${generateId()}.bin`;
        const bytes = createBytes(size);
        t.equal(await store.put(name, streamBytes(bytes)), size);
        t.ok(bytes.equals(await readContent(store, name)), `${size} bytes`);
        t.match(await store.stat(name), { name, size, modifiedAt: Date });
        if (size < 100) continue;
        for (const [first, last] of [
          [0, 0],
          [17, 99],
          [size - 1, size - 1],
          [0, size - 1],
        ] as const)
          t.ok(bytes.subarray(first, last + 1).equals(await readContent(store, name, { first, last })));
        await store.remove(name);
      }
    });

    await t.test('shortens a range beyond the end', async (t) => {
      const name = generateId();
      await store.put(name, streamBytes(createBytes(10)));
      for (const [first, last, left] of [
        [0, 99, 10],
        [4, 99, 6],
        [10, 99, 0],
        [50, 99, 0],
      ] as const)
        t.equal((await readContent(store, name, { first, last })).length, left, `${first}-${last}`);
    });

    await t.test('returns null for absent and removed files', async (t) => {
      const name = generateId();
      for (let round = 0; round < 2; round += 1) {
        t.equal(await store.stat(name), null);
        t.equal(await store.open(name), null);
        t.equal(await store.open(name, { first: 0, last: 1 }), null);
        await store.remove(name);
        if (round === 0) await store.put(name, streamBytes(createBytes(10)));
        await store.remove(name);
      }
    });

    await t.test('a name is stored once, by the first writer', async (t) => {
      const name = generateId();
      const tries = [1, 2, 3].map((size) => store.put(name, streamBytes(createBytes(size))));
      const done = await Promise.allSettled(tries);
      const [won] = done.filter((one) => one.status === 'fulfilled');
      t.equal(done.filter((one) => one.status === 'fulfilled').length, 1);
      for (const one of done) if (one.status === 'rejected') t.type(one.reason, FileExistsError);
      t.equal((await readContent(store, name)).length, won?.status === 'fulfilled' ? won.value : -1);
      await t.rejects(store.put(name, streamBytes(createBytes(6 * MIB))), FileExistsError);
    });

    await t.test('leaves nothing of a failed upload and rethrows the source’s error', async (t) => {
      const reason = new Error('too large');
      for (const size of [0, 100, 6 * MIB]) {
        const name = generateId();
        await t.rejects(store.put(name, streamThenFail(createBytes(size), reason)), reason);
        t.equal(await store.stat(name), null);
      }
      t.notOk((await listFiles(store)).some(({ isPartial }) => isPartial));
    });

    await t.test('lists all files, marks partial ones, and removes them', async (t) => {
      for await (const { name } of store.list()) await store.remove(name);
      const names = Array.from({ length: 5 }, () => generateId()).toSorted();
      for (const name of names) await store.put(name, streamBytes(createBytes(3)));
      const all = await listFiles(store);
      t.same(all.map(({ name }) => name).toSorted(), names);
      for (const one of all) t.match(one, { size: 3, isPartial: false, modifiedAt: Date });

      const [first, second] = [createAbortableSource(), createAbortableSource()];
      const begun = [store.put(generateId(), first.content), store.put(generateId(), second.content)];
      const isBegun = async () => (await listFiles(store)).filter((one) => one.isPartial).length === 2;
      while (!(await isBegun())) await new Promise((resolve) => setTimeout(resolve, 20));
      for await (const { name, isPartial } of store.list()) {
        if (!isPartial) continue;
        t.equal(await statFile(store, name), null, 'no file by that name');
        await store.removePartial(name);
        await store.removePartial(name);
      }
      t.same(await listFiles(store).then((left) => left.map(({ name }) => name).toSorted()), names);
      for (const { stop } of [first, second]) stop();
      await Promise.allSettled(begun);
      t.same(await listFiles(store).then((left) => left.length), names.length);
    });

    await t.test('removes what unfinished writes of one file left', async (t) => {
      for await (const { name } of store.list()) await store.remove(name);
      const name = generateId();
      const others = [`${name}0`, generateId()];
      const sources = [name, name, ...others].map(() => createAbortableSource());
      const writes = [name, name, ...others].map((one, index) =>
        store.put(one, sources[index]?.content ?? streamBytes(createBytes(1))),
      );
      const partial = async () =>
        (await listFiles(store)).filter((one) => one.isPartial).map((one) => one.name);
      while ((await partial()).length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
      await store.removeUnfinished(name);
      await store.removeUnfinished(name);
      await store.removeUnfinished(generateId());
      const left = await partial();
      t.equal(left.length, 2);
      for (const other of others)
        t.ok(
          left.some((one) => one.includes(other)),
          'of other files nothing',
        );
      for (const { stop } of sources) stop();
      await Promise.allSettled(writes);
      t.same(await partial(), []);
    });

    await t.test('rejects names outside of the store', async (t) => {
      for (const name of [
        '',
        '.',
        '..',
        '../x',
        'a/../b',
        '/x',
        'a/b/c',
        'A',
        '.x',
        'a\0',
        'a\\b',
        'x y',
        `a${'b'.repeat(300)}`,
      ]) {
        await t.rejects(async () => store.put(name, streamBytes(createBytes(1))), /Invalid file name/, name);
        await t.rejects(async () => store.open(name), /Invalid file name/);
        await t.rejects(async () => store.remove(name), /Invalid file name/);
        await t.rejects(async () => store.removeUnfinished(name), /Invalid file name/);
        await t.rejects(async () => store.removePartial(name), /Invalid name of a partial file/);
      }
    });

    await t.test('an aborted read leaves nothing open', async (t) => {
      const name = generateId();
      await store.put(name, streamBytes(createBytes(MIB)));
      for (let round = 0; round < 300; round += 1) {
        const stream = await store.open(name);
        stream?.destroy();
      }
      const stream = await store.open(name);
      if (stream) await once(stream, 'readable');
      stream?.destroy();
      t.equal((await readContent(store, name)).length, MIB);
    });
  });
}

async function listFiles(store: FileStore) {
  const all = [];
  for await (const one of store.list()) all.push(one);
  return all;
}

/** Find the stats of a complete or partial file. */
async function statFile(store: FileStore, name: string) {
  return Promise.resolve()
    .then(() => store.stat(name))
    .catch(() => null);
}

async function readContent(store: FileStore, name: string, range?: { first: number; last: number }) {
  const stream = await store.open(name, range);
  if (!stream) throw new Error('There is no such file.');
  return buffer(stream);
}

/** Bytes without repetition. */
function createBytes(size: number): Buffer {
  const block = createHash('sha512').update(String(size)).digest();
  const bytes = Buffer.alloc(size, block);
  for (let at = 0; at + 4 <= size; at += 4096) bytes.writeUInt32BE(at, at);
  return bytes;
}

async function* streamBytes(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function* streamThenFail(bytes: Buffer, reason: Error): AsyncGenerator<Uint8Array> {
  yield* streamBytes(bytes);
  throw reason;
}

/** A source of more than a part that then waits until it is aborted. */
function createAbortableSource() {
  const end = new AbortController();
  async function* content() {
    yield* streamBytes(createBytes(6 * MIB));
    if (!end.signal.aborted) await once(end.signal, 'abort');
    throw new Error('stopped');
  }
  return { content: content(), stop: () => end.abort() };
}
