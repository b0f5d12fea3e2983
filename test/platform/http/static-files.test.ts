import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { parseRequestTarget } from '../../../src/platform/http/query-string.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import {
  createSecurityHeadersStep,
  securityHeadersPlugin,
} from '../../../src/platform/http/security-headers.ts';
import { staticFilesPlugin } from '../../../src/platform/http/static-files.ts';
import { Problem } from '../../../src/platform/problem.schemas.ts';
import { createDiskFileStore } from '../../../src/providers/files/disk/disk-file-store.ts';
import type { FileStore } from '../../../src/providers/files/files.port.ts';
import { createS3FileStore } from '../../../src/providers/files/s3/s3-file-store.ts';
import { FieldProblem } from '../../../src/shared/common.schemas.ts';
import { startS3Server } from '../../s3-server.ts';
import { t } from '../../tap.ts';
import { createBareApp, listenOnFreePort, parseJsonResponse, parseStatus, sendRaw } from './helper.ts';

const PICTURE = 'profile-1700000000000-123456789.png';
const QR = `memory-tag-0123456789abcdef01234567-1700000000000.png`;
const BYTES = Buffer.from('0123456789'.repeat(10));

type Build = (t: Test) => Promise<{
  app: FastifyInstance;
  write(bytes: Buffer): Promise<unknown>;
  remove(): Promise<unknown>;
}>;

const STORES: Record<string, Build> = {
  async disk(t) {
    const directory = t.testdir({
      'secret.png': 'secret',
      'profile-pictures': { [PICTURE]: BYTES, '.env': 'secret', 'a.svg': '<svg/>', 'index.html': 'secret' },
      qrcodes: { [QR]: BYTES },
    });
    const pictures = join(directory, 'profile-pictures');
    await symlink(join(directory, 'secret.png'), join(pictures, 'profile-1700000000001-1.png'));
    await symlink(join(pictures, PICTURE), join(pictures, 'profile-1700000000002-1.png'));
    await mkdir(join(pictures, 'profile-1700000000003-1.png'));
    const app = await startServer(t, createDiskFileStore({ folder: directory, isPrivate: false }));
    const file = join(pictures, PICTURE);
    return { app, write: (bytes) => writeFile(file, bytes), remove: () => rm(file) };
  },

  async bucket(t) {
    const server = await startS3Server(t);
    const files = createS3FileStore({ ...server.settings, prefix: 'public/' });
    t.teardown(() => files.close());
    const [picture, image] = [`profile-pictures/${PICTURE}`, `qrcodes/${QR}`];
    for (const name of [picture, image]) await files.put(name, Readable.from([BYTES]));
    await files.put('secret.png', Readable.from(['secret']));
    const app = await startServer(t, files);
    const remove = () => files.remove(picture);
    return {
      app,
      async write(bytes) {
        await remove();
        await files.put(picture, Readable.from([bytes]));
      },
      remove,
    };
  },
};

async function startServer(t: Test, files: FileStore): Promise<FastifyInstance> {
  const app = await createBareApp(t);
  for (const schema of [Problem, FieldProblem]) app.addSchema(schema);
  await app.register(securityHeadersPlugin, { https: false });
  addRequestSteps(app, createSecurityHeadersStep({ https: false }), parseRequestTarget);
  await app.register(staticFilesPlugin, { files });
  return app;
}

for (const [title, build] of Object.entries(STORES)) t.test(title, (t) => testStaticFiles(t, build, title));

async function testStaticFiles(t: Test, build: Build, title: string): Promise<void> {
  await t.test('serves a file with a valid name and its content type', async (t) => {
    const { app } = await build(t);
    for (const url of [`/uploads/profile-pictures/${PICTURE}`, `/uploads/qrcodes/${QR}`]) {
      const answer = await app.inject(url);
      t.equal(answer.statusCode, 200);
      t.same(answer.rawPayload, BYTES);
      t.match(answer.headers, {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=60, must-revalidate',
        'cross-origin-resource-policy': 'cross-origin',
        etag: /^W\//,
      });
      const head = await app.inject({ method: 'HEAD', url });
      t.match(head, { statusCode: 200, body: '' });
      t.equal(head.headers['content-length'], String(BYTES.length));
    }
  });

  await t.test('responds 404 to traversal, escapes, dotfiles, links, folders and other names', async (t) => {
    const { app } = await build(t);
    const port = await listenOnFreePort(app);
    const names = [
      '../secret.png',
      '%2e%2e/secret.png',
      '..%2fsecret.png',
      '%2e%2e%2fsecret.png',
      '..%5csecret.png',
      '..%252fsecret.png',
      '%252e%252e%252fsecret.png',
      '%c0%ae%c0%ae/secret.png',
      `./${PICTURE}`,
      `/${PICTURE}`,
      `x/../${PICTURE}`,
      `${PICTURE}/`,
      `${PICTURE}%00`,
      `${PICTURE}%00.png`,
      `${PICTURE}%0a`,
      `${PICTURE}.png`,
      PICTURE.toUpperCase(),
      `profile-1700000000000-${'1'.repeat(300)}.png`,
      'a'.repeat(5_000),
      '.env',
      '..',
      '.',
      '',
      'index.html',
      'a.svg',
      'profile-1700000000001-1.png',
      'profile-1700000000002-1.png',
      'profile-1700000000003-1.png',
      'profile-1700000000009-1.png',
      '%2fetc%2fpasswd',
      'C:%5cwindows%5cwin.ini',
    ];
    for (const name of names) {
      const request = `GET /uploads/profile-pictures/${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const answer = await sendRaw(port, request);
      t.equal(parseJsonResponse(answer).code, 'NOT_FOUND', name.slice(0, 60));
      t.equal(parseStatus(answer), 404, name.slice(0, 60));
      t.match(answer, /application\/problem\+json/);
      t.notMatch(answer, 'secret');
    }
    for (const url of [
      '/uploads',
      '/uploads/',
      '/uploads/profile-pictures',
      '/uploads/secret.png',
      `/uploads/qrcodes/${PICTURE}`,
    ]) {
      t.equal((await app.inject(url)).statusCode, 404, url);
    }
  });

  await t.test(
    'responds 304 to a conditional request, 206 to one range, 416 to several or unsatisfiable ones',
    async (t) => {
      const { app, write, remove } = await build(t);
      const url = `/uploads/profile-pictures/${PICTURE}`;
      const { headers } = await app.inject(url);
      for (const conditional of [
        { 'if-none-match': String(headers.etag) },
        { 'if-none-match': `"x", ${headers.etag}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': String(headers['last-modified']) },
      ]) {
        const answer = await app.inject({ url, headers: conditional });
        t.match(answer, { statusCode: 304, body: '' });
        t.equal(answer.headers.etag, headers.etag);
        t.equal(answer.headers['cache-control'], 'public, max-age=60, must-revalidate');
      }
      const part = await app.inject({ url, headers: { range: 'bytes=10-14' } });
      t.match(part, { statusCode: 206, body: '01234' });
      t.equal(part.headers['content-range'], 'bytes 10-14/100');

      for (const [range, content] of [
        ['bytes=0-0', 'bytes 0-0/100'],
        ['bytes=98-', 'bytes 98-99/100'],
        ['bytes=98-500', 'bytes 98-99/100'],
        ['bytes=-1', 'bytes 99-99/100'],
        ['bytes=-500', 'bytes 0-99/100'],
      ] as const) {
        const one = await app.inject({ url, headers: { range } });
        t.equal(one.headers['content-range'], content, range);
        t.equal(one.statusCode, 206);
        t.equal(one.headers['content-length'], String(one.rawPayload.length));
        const head = await app.inject({ method: 'HEAD', url, headers: { range } });
        t.match(head, { statusCode: 200, body: '' });
        t.equal(head.headers['content-length'], '100');
      }

      for (const range of ['bytes=0-0,2-2', `bytes=${'0-1,'.repeat(1_000)}5-6`, 'bytes=500-']) {
        const answer = await app.inject({ url, headers: { range } });
        t.match(answer.json(), { status: 416, code: 'RANGE_NOT_SATISFIABLE' }, range.slice(0, 30));
        t.equal(answer.headers['content-range'], 'bytes */100');
        t.equal(answer.headers['cache-control'], 'no-store');
      }
      t.equal((await app.inject({ url, headers: { range: 'bytes=5-2' } })).statusCode, 200);
      const weak = { range: 'bytes=0-0', 'if-range': String(headers.etag) };
      t.equal((await app.inject({ url, headers: weak })).statusCode, 200, 'a weak tag is no If-Range');
      const reload = { 'if-none-match': '*', 'cache-control': 'no-cache' };
      t.equal((await app.inject({ url, headers: reload })).statusCode, 304, 'Cache-Control decides nothing');
      const both = { 'if-match': '*', 'if-unmodified-since': new Date(0).toUTCString() };
      t.equal((await app.inject({ url, headers: both })).statusCode, 200, 'If-Match goes first');
      t.equal((await app.inject({ url, headers: { 'if-match': '"x"' } })).statusCode, 412);

      await write(Buffer.from('other'));
      t.equal(
        (await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })).statusCode,
        200,
      );
      await remove();
      t.equal(
        (await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })).statusCode,
        404,
      );
    },
  );

  await t.test('responds with 200 or 404 to a file that is removed during the request', async (t) => {
    const { app, write, remove } = await build(t);
    for (let round = 0; round < (title === 'disk' ? 150 : 10); round += 1) {
      await write(BYTES);
      const answers = Array.from({ length: 3 }, () => app.inject(`/uploads/profile-pictures/${PICTURE}`));
      await new Promise((resolve) => setTimeout(resolve, round % 3));
      await remove();
      for (const { statusCode, headers } of await Promise.all(answers)) {
        if (statusCode !== 200) t.equal(statusCode, 404);
        if (statusCode === 404) t.notMatch(headers['cache-control'] ?? '', /public/);
      }
    }
  });
}
