import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestApp } from '../../helper.ts';
import { listenOnFreePort, parseJsonResponse, parseStatus, sendRaw } from '../../platform/http/helper.ts';
import { t } from '../../tap.ts';
import {
  countStoredFiles,
  createTestPdf,
  encodeMultipartForm,
  type FormPart,
  sendMultipartForm,
  uploadDocument,
} from './upload.ts';

const test = await startTestApp(t, { MAX_DOCUMENT_BYTES: '3000000' });
const { call, createUser } = test;
const token = (await createUser()).accessToken;
const port = await listenOnFreePort(test.app);
const file: FormPart = { name: 'file', fileName: 'a.pdf', value: createTestPdf() };
const send = (parts: readonly FormPart[]) => sendMultipartForm(test, '/api/documents', token, parts);

/** Headers of an upload. */
const head = (...lines: string[]) =>
  [
    'POST /api/documents HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=XX',
    ...lines,
    '\r\n',
  ].join('\r\n');

t.test('rejects a malformed form without storing any part of its file', async (t) => {
  const field = (name: string, value: string | Buffer): FormPart => ({ name, value });
  const cases: Record<string, [status: number, parts: FormPart[]]> = {
    'no file': [400, [field('title', 'a')]],
    'a field in place of the file': [400, [field('file', 'text')]],
    'an empty file': [400, [{ ...file, value: '' }]],
    'two files': [400, [file, file]],
    'a wrong kind behind the file': [400, [file, field('kind', 'LETTER')]],
    'a wrong kind before the file': [400, [field('kind', 'LETTER'), file]],
    'a wrong day': [400, [file, field('expiresOn', '2026-02-30')]],
    'a title twice': [400, [file, field('title', 'a'), field('title', 'b')]],
    'a title of marks of direction': [400, [file, field('title', 'a\u202eb')]],
    'a title that is too long': [400, [file, field('title', 'x'.repeat(201))]],
    'a note with NUL': [400, [file, field('note', 'a\0b')]],
    'a note that is not UTF-8': [400, [file, field('note', Buffer.from([0xff, 0xfe]))]],
    'a field of a prototype': [400, [file, field('__proto__', 'x')]],
    'a field of 70 KB': [400, [file, field('note', 'x'.repeat(70_000))]],
    'too many fields': [413, [file, ...Array.from({ length: 60 }, (_, n) => field(`f${n}`, 'x'))]],
    '10,000 fields': [413, [...Array.from({ length: 10_000 }, (_, n) => field(`f${n}`, 'x')), file]],
    'an unknown field': [400, [field('unknown', 'x'), file]],
    'another file': [400, [file, { ...file, name: 'other' }]],
    'a page': [415, [{ ...file, value: '<html><script>alert(1)</script>' }]],
    'too large': [413, [{ ...file, value: createTestPdf('x'.repeat(3_000_000)) }]],
  };
  const before = await countStoredFiles(test);
  for (const [name, [status, parts]] of Object.entries(cases))
    t.equal((await send(parts)).status, status, name);
  const unsupported = await uploadDocument(test, token, Buffer.from('<svg/>'), { fileName: 'a.png' });
  t.match(unsupported.body, { code: 'FILE_TYPE_UNSUPPORTED', accepted: [/pdf/] });
  const json = await call('POST', '/api/documents', { token, body: { title: 'a' } });
  t.match(json, { status: 400, body: { errors: [{ field: 'file', code: 'REQUIRED' }] } });
  t.same(await countStoredFiles(test), before);
  t.equal((await send([file, field('title', 'A letter')])).status, 201);
  t.same(await countStoredFiles(test), { rows: before.rows + 1, files: before.files + 1 });
});

t.test('rejects truncated forms and wrong boundaries without storing anything', async (t) => {
  const whole = encodeMultipartForm([file, { name: 'title', value: 'a' }]);
  const before = await countStoredFiles(test);
  const call400 = async (bytes: Buffer, type = 'multipart/form-data; boundary=XX') => {
    const answer = await call('POST', '/api/documents', {
      token,
      body: bytes,
      headers: { 'content-type': type },
    });
    t.ok(
      answer.status === 400 || answer.status === 415,
      `${answer.status} for ${bytes.length} bytes, ${type}`,
    );
  };
  for (let share = 1; share < 20; share += 1)
    await call400(whole.subarray(0, Math.floor((whole.length * share) / 20)));
  for (const type of ['', '; boundary=', '; boundary=YY']) await call400(whole, `multipart/form-data${type}`);
  t.same(await countStoredFiles(test), before);
});

t.test('reports failures outside of the form as such', async (t) => {
  const { files } = test.services;
  const { store } = files;
  const connectionError = Object.assign(new Error('terminating connection'), { code: '57P01' });
  for (const [error, status, code] of [
    [connectionError, 503, 'DATABASE_UNAVAILABLE'],
    [new TypeError('a mistake of ours'), 500, 'INTERNAL'],
  ] as const) {
    files.store = () => Promise.reject(error);
    t.match(await send([file]), { status, body: { code } });
  }
  files.store = store;
});

t.test('stores nothing from a body that stalls, disconnects or has a wrong length', async (t) => {
  const form = encodeMultipartForm([{ ...file, value: createTestPdf('x'.repeat(400_000)) }]);
  const before = await countStoredFiles(test);
  const hangUp = async (bytes: number, how: 'end' | 'reset') => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(head(`Content-Length: ${form.length}`));
    socket.write(form.subarray(0, bytes));
    await wait(20);
    if (how === 'end') socket.end();
    else socket.resetAndDestroy();
    if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  };
  const places = [0, 10, 100, 1_000, 70_000, 200_000, form.length - 1];
  await Promise.all(places.flatMap((bytes) => [hangUp(bytes, 'end'), hangUp(bytes, 'reset')]));
  t.same(await countStoredFiles(test), before);

  const long = await sendRaw(port, head('Content-Length: 90000000', 'Connection: close'), form, 100);
  t.match(
    [parseStatus(long), parseJsonResponse(long).code],
    [413, 'PAYLOAD_TOO_LARGE'],
    'too long by its head',
  );
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
  const begun = `--XX\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
  const untold = await sendRaw(
    port,
    head('Transfer-Encoding: chunked', 'Connection: close'),
    `${begun.length.toString(16)}\r\n${begun}\r\n`,
    ...Array.from({ length: 80 }, () => chunk),
  );
  t.equal(parseStatus(untold), 413, 'too long without a length');
  t.same(await countStoredFiles(test), before);
});

t.test(
  'rejects an upload without an account, or to a document of another user, before its bytes',
  async (t) => {
    const other = (await createUser()).accessToken;
    const { id } = (await uploadDocument(test, other)).body;
    const before = await countStoredFiles(test);
    const anonymous = await sendRaw(
      port,
      head('Content-Length: 2000000', 'Connection: close').replace(token, 'nothing'),
      encodeMultipartForm([file]),
    );
    t.equal(parseStatus(anonymous), 401);
    const begun = encodeMultipartForm([file]).subarray(0, 120);
    const foreign = await sendRaw(
      port,
      head('Content-Length: 2000000', 'Connection: close').replace('/documents', `/documents/${id}/versions`),
      begun,
    );
    for (const odd of ['%00', 'x', '../x', '%F0%9F%98%80', 'a'.repeat(24).toUpperCase()]) {
      const answer = await sendMultipartForm(test, `/api/documents/${encodeURI(odd)}/versions`, token, [
        file,
      ]);
      t.ok([400, 404].includes(answer.status), `${odd}: ${answer.status}`);
    }
    t.equal(parseStatus(foreign), 404, 'while the rest of the file is still to come');
    t.same(await countStoredFiles(test), before);
  },
);
