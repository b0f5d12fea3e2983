import { randomBytes } from 'node:crypto';
import { type Agent, request } from 'node:http';

export interface UploadAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Filler of the file: plain text, so that its type is detected as text. */
const FILLER_LINE = Buffer.from(`${randomBytes(47).toString('base64')}\n`);
const FILLER_CHUNK = Buffer.concat(Array.from({ length: 1_024 }, () => FILLER_LINE));

export function* createFileContent(bytes: number, prefix = ''): Generator<Buffer> {
  const head = Buffer.from(`${prefix}\n`);
  yield head.subarray(0, bytes);
  for (let remaining = bytes - head.length; remaining > 0; remaining -= FILLER_CHUNK.length)
    yield FILLER_CHUNK.subarray(0, remaining);
}

/** Stream a file as a form; `onSent` gets the bytes sent so far. Rejects if the connection breaks. */
export function uploadFile(
  url: string,
  token: string,
  file: { bytes: number; prefix?: string },
  options: { agent?: Agent; onSent?: (bytes: number) => void } = {},
): Promise<UploadAnswer> {
  const boundary = `form-${randomBytes(12).toString('hex')}`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\n` +
      'Content-Type: text/plain\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method: 'POST',
      ...(options.agent ? { agent: options.agent } : {}),
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': head.length + file.bytes + tail.length,
      },
    });
    sending.on('error', reject);
    sending.on('response', async (response) => {
      try {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text || '{}') });
      } catch (error) {
        reject(error);
      }
    });
    send().catch(reject);

    async function send(): Promise<void> {
      let sent = 0;
      for (const chunks of [[head], createFileContent(file.bytes, file.prefix), [tail]]) {
        for (const bytes of chunks) {
          if (sending.destroyed) return;
          sent += bytes.length;
          if (!sending.write(bytes)) await waitForDrain();
          options.onSent?.(sent);
        }
      }
      sending.end();
    }

    function waitForDrain(): Promise<void> {
      return new Promise((resolve) => {
        const go = () => {
          sending.off('drain', go);
          sending.off('close', go);
          resolve();
        };
        sending.once('drain', go);
        sending.once('close', go);
      });
    }
  });
}

export function downloadFile(
  url: string,
  token: string,
  onChunk: (chunk: Buffer) => void = () => {},
): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { headers: { Authorization: `Bearer ${token}` } });
    clientRequest.on('error', reject);
    clientRequest.on('response', async (response) => {
      try {
        let bytes = 0;
        for await (const chunk of response) {
          bytes += chunk.length;
          onChunk(chunk);
        }
        resolve({ status: response.statusCode ?? 0, bytes });
      } catch (error) {
        reject(error);
      }
    });
    clientRequest.end();
  });
}
