import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskFileStore } from '../../../src/providers/files/disk/disk-file-store.ts';
import { mapDiskErrors } from '../../../src/providers/files/disk/disk-operations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';

async function* content(text = 'secret'): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function getFileMode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

t.test('private files are spread over folders and readable by the system user only', async (t) => {
  const folder = join(t.testdir(), 'files');
  const store = createDiskFileStore({ folder, isPrivate: true });
  const name = generateId();
  await store.prepare();
  await store.put(name, content());
  const path = join(folder, name.slice(0, 2), name);
  t.equal(await readFile(path, 'utf8'), 'secret');
  t.same(await Promise.all([folder, join(folder, name.slice(0, 2)), path].map(getFileMode)), [
    '700',
    '700',
    '600',
  ]);
});

t.test('public files are stored at their names', async (t) => {
  const folder = t.testdir();
  const store = createDiskFileStore({ folder, isPrivate: false, subfolders: ['qrcodes'] });
  await store.prepare();
  t.same(await readdir(folder), ['qrcodes']);
  await store.put('qrcodes/a.png', content());
  const path = join(folder, 'qrcodes', 'a.png');
  t.equal(await readFile(path, 'utf8'), 'secret');
  t.equal(await getFileMode(path), '644');
  t.same(await readdir(join(folder, 'qrcodes')), ['a.png'], 'and nothing else');
});

t.test('links, folders and special files are not served', async (t) => {
  const folder = t.testdir({ secret: 'secret', qrcodes: { 'Other name.png': 'x', '.env': 'x' } });
  const store = createDiskFileStore({ folder, isPrivate: false });
  await symlink(join(folder, 'secret'), join(folder, 'qrcodes', 'link.png'));
  await symlink(folder, join(folder, 'around'));
  await mkdir(join(folder, 'qrcodes', 'folder.png'));
  for (const name of ['qrcodes/link.png', 'qrcodes/folder.png']) {
    t.equal(await store.stat(name), null, name);
    t.equal(await store.open(name), null, name);
  }
  const names = [];
  for await (const { name } of store.list()) names.push(name);
  t.same(names, ['secret']);
});

t.test('a start fails with a folder that is not writable', async (t) => {
  const folder = join(t.testdir({ taken: '' }), 'taken');
  await t.rejects(createDiskFileStore({ folder, isPrivate: true }).prepare(), {
    code: 'EEXIST',
    path: folder,
  });
});

t.test('does not recreate a removed folder', async (t) => {
  const folder = join(t.testdir(), 'disk');
  for (const isPrivate of [true, false]) {
    const store = createDiskFileStore({ folder, isPrivate });
    await t.rejects(store.put(generateId(), content()), { code: 'PROVIDER_UNAVAILABLE' });
  }
  await t.rejects(stat(folder), { code: 'ENOENT' });
});

t.test('a full disk is reported as unavailable', async (t) => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  await t.rejects(mapDiskErrors(Promise.reject(full)), { code: 'PROVIDER_UNAVAILABLE', cause: full });
  const other = Object.assign(new Error('not allowed'), { code: 'EACCES' });
  await t.rejects(mapDiskErrors(Promise.reject(other)), other);
});

t.test('distinguishes partial files from files with similar names', async (t) => {
  const folder = t.testdir({ qrcodes: {} });
  const store = createDiskFileStore({ folder, isPrivate: false });
  await writeFile(join(folder, 'qrcodes', '.a.png.abcd1234.part'), 'half');
  await writeFile(join(folder, 'qrcodes', 'a.png.abcd1234.part'), 'whole');
  const all = [];
  for await (const { name, size, isPartial } of store.list()) all.push({ name, size, isPartial });
  t.same(
    all.toSorted((a, b) => a.size - b.size),
    [
      { name: 'qrcodes/.a.png.abcd1234.part', size: 4, isPartial: true },
      { name: 'qrcodes/a.png.abcd1234.part', size: 5, isPartial: false },
    ],
  );
  await t.rejects(store.removePartial('qrcodes/a.png.abcd1234.part'));
  await store.removePartial('qrcodes/.a.png.abcd1234.part');
  t.same(await readdir(join(folder, 'qrcodes')), ['a.png.abcd1234.part']);
});
