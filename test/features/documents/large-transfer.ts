import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

// Runs in a process of its own: uploads a PDF of a given size, downloads it, and prints whether both are equal.

const [port, token, size] = process.argv.slice(2);
const fillerChunk = randomBytes(65_536);
const sent = createHash('sha256');
const [begin, end] = ['%PDF-1.7\n', '\n%%EOF\n'].map((text) => Buffer.from(text));

function* generateContent() {
  yield begin;
  for (let left = Number(size); left > 0; left -= fillerChunk.length) yield fillerChunk;
  yield end;
}

function* generateForm() {
  yield Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="large.pdf"\r\n\r\n');
  for (const bytes of generateContent()) {
    sent.update(bytes ?? '');
    yield bytes;
  }
  yield Buffer.from('\r\n--XX--\r\n');
}

function sendRequest(method: string, path: string, headers = {}) {
  const authorization = `Bearer ${token}`;
  return request({ port, host: '127.0.0.1', method, path, headers: { ...headers, authorization } });
}

async function waitForResponse(requested: ReturnType<typeof sendRequest>): Promise<IncomingMessage> {
  const [answer] = await once(requested, 'response');
  return answer;
}

const upload = sendRequest('POST', '/api/documents', { 'content-type': 'multipart/form-data; boundary=XX' });
const answered = waitForResponse(upload);
await pipeline(Readable.from(generateForm()), upload);
const made = JSON.parse(Buffer.concat(await Readable.from(await answered).toArray()).toString());
const download = sendRequest('GET', `/api/documents/${made.id}/content`);
download.end();
const received = createHash('sha256');
for await (const bytes of await waitForResponse(download)) received.update(bytes);
console.log(received.digest('hex') === sent.digest('hex') ? 'SAME' : `DIFFERENT ${JSON.stringify(made)}`);
