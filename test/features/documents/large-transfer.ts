import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

// A client in a process of its own: uploads a PDF of so many bytes, reads it back, and prints whether it is the same.

const [port, token, size] = process.argv.slice(2);
const piece = randomBytes(65_536);
const sent = createHash('sha256');
const [begin, end] = ['%PDF-1.7\n', '\n%%EOF\n'].map((text) => Buffer.from(text));

function* content() {
  yield begin;
  for (let left = Number(size); left > 0; left -= piece.length) yield piece;
  yield end;
}

function* form() {
  yield Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="large.pdf"\r\n\r\n');
  for (const bytes of content()) {
    sent.update(bytes ?? '');
    yield bytes;
  }
  yield Buffer.from('\r\n--XX--\r\n');
}

function ask(method: string, path: string, headers = {}) {
  const authorization = `Bearer ${token}`;
  return request({ port, host: '127.0.0.1', method, path, headers: { ...headers, authorization } });
}

async function answerOf(requested: ReturnType<typeof ask>): Promise<IncomingMessage> {
  const [answer] = await once(requested, 'response');
  return answer;
}

const upload = ask('POST', '/api/documents', { 'content-type': 'multipart/form-data; boundary=XX' });
const answered = answerOf(upload);
await pipeline(Readable.from(form()), upload);
const made = JSON.parse(Buffer.concat(await Readable.from(await answered).toArray()).toString());
const download = ask('GET', `/api/documents/${made.id}/content`);
download.end();
const received = createHash('sha256');
for await (const bytes of await answerOf(download)) received.update(bytes);
console.log(received.digest('hex') === sent.digest('hex') ? 'SAME' : `DIFFERENT ${JSON.stringify(made)}`);
