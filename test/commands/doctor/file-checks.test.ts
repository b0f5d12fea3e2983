import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import { startS3Server } from '../../s3-server.ts';
import { createScratchFolder } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { diagnose } from './doctor-helper.ts';

t.test('writes, reads and deletes a file in each folder, and leaves nothing', async (t) => {
  const folder = await createScratchFolder(t);
  const settings = { DATA_DIR: join(folder, 'data'), UPLOADS_DIR: join(folder, 'uploads') };
  const check = () => diagnose(settings, 'public files', 'private files', 'disk space');
  t.match(await check(), {
    'public files': { state: 'warning', found: `${folder}/uploads does not exist` },
    'private files': { state: 'warning', found: `${folder}/data/files does not exist` },
  });
  t.same(await readdir(folder), [], 'it creates no folder');
  await mkdir(settings.UPLOADS_DIR);
  await mkdir(join(settings.DATA_DIR, 'files'), { recursive: true });
  t.match(await check(), {
    'public files': { state: 'ok', found: 'a file was written, read and deleted' },
    'private files': { state: 'ok' },
    'disk space': { found: /^\d+ MiB free for \// },
  });
  t.same((await readdir(folder, { recursive: true })).toSorted(), ['data', 'data/files', 'uploads']);
});

t.test('a folder that cannot be written is a problem with its path', async (t) => {
  const folder = await createScratchFolder(t);
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  t.match(await diagnose({ DATA_DIR: folder, UPLOADS_DIR: file }, 'public files'), {
    'public files': { state: 'problem', found: `${file} is not a folder`, advice: /UPLOADS_DIR.*a-file/ },
  });
});

t.test('writes, reads, lists and deletes a file in the bucket, and leaves nothing', async (t) => {
  const server = await startS3Server(t);
  const DATA_DIR = await createScratchFolder(t);
  const methods: string[] = [];
  const objects = new Set<string>();
  server.override = ({ method = '', url = '' }) => {
    methods.push(method);
    if (method === 'PUT') objects.add(url.split('?')[0] ?? '');
    if (method === 'DELETE') objects.delete(url.split('?')[0] ?? '');
    return false;
  };
  const results = await diagnose({ DATA_DIR, ...server.environment }, 'bucket public/', 'bucket private/');
  t.match(results, { 'bucket public/': { state: 'ok' }, 'bucket private/': { state: 'ok' } });
  for (const method of ['HEAD', 'PUT', 'GET', 'DELETE']) t.ok(methods.includes(method), method);
  t.same([...objects], []);
});

t.test('a bucket that cannot be used is a problem with the setting', async (t) => {
  const server = await startS3Server(t);
  const DATA_DIR = await createScratchFolder(t);
  const check = async (environment: Record<string, string> = {}) =>
    (await diagnose({ DATA_DIR, ...server.environment, ...environment }, 'bucket private/'))[
      'bucket private/'
    ];
  t.match(await check({ S3_BUCKET: 'another' }), {
    state: 'problem',
    found: 'S3_BUCKET: the bucket does not exist.',
  });
  t.match(await check({ S3_ACCESS_KEY_ID: 'another' }), {
    state: 'problem',
    found: 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: access to the bucket denied.',
  });
  server.override = (request, response) => {
    if (request.method !== 'PUT') return false;
    request.resume();
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    return true;
  };
  t.match(await check(), { state: 'problem', found: 'fails (AccessDenied)', advice: /rights of the key/ });
  server.override = (request) => {
    delete request.headers['if-none-match'];
    return false;
  };
  t.match(await check(), { state: 'problem', found: 'an existing file was replaced' });
  const S3_ENDPOINT = `http://127.0.0.1:${await findFreePort()}`;
  t.match(await check({ S3_ENDPOINT }), {
    state: 'problem',
    found: 'fails (ECONNREFUSED)',
    advice: /S3_ENDPOINT/,
  });
});
