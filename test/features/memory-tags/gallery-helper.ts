import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestApp } from '../../helper.ts';

/** A picture of one pixel. */
export const ONE_PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Create a multipart body with one file as a browser sends it. */
export function createPictureForm(
  picture: Buffer | undefined,
  fields: Record<string, string> = {},
  name = 'picture',
) {
  const boundary = 'XX';
  const parts: Buffer[] = Object.entries(fields).map(([field, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`),
  );
  if (picture) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="../me.svg"\r\nContent-Type: image/svg+xml\r\n\r\n`;
    parts.push(Buffer.from(head), picture, Buffer.from('\r\n'));
  }
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** Create helpers that add and read pictures of memory tags or codes as a user. */
export function createGalleryClient({ app, call }: TestApp, token: string, path = '/api/memory-tags') {
  return {
    add: (id: string, picture: Buffer | undefined, fields = {}, headers: Record<string, string> = {}) => {
      const sent = createPictureForm(picture, fields);
      const url = `${path}/${id}/pictures`;
      return call('POST', url, { token, body: sent.body, headers: { ...sent.headers, ...headers } });
    },
    list: async (id: string) =>
      (await call('GET', `${path}/${id}/pictures`, { token })).body.data as {
        id: string;
        position: number;
        caption: string | null;
      }[],
    get: (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      fetchPictureBytes(app, url, { authorization: `Bearer ${token}`, ...headers }, method),
  };
}

/** Download the bytes of a URL. */
export async function fetchPictureBytes(
  app: TestApp['app'],
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) {
  const answer = await app.inject({ method, url, headers });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}

/** List the names of all files in the private store, complete or not. */
export async function listPrivateFiles({ dataDir }: TestApp): Promise<string[]> {
  const found = await readdir(join(dataDir, 'files'), { withFileTypes: true, recursive: true }).catch(
    () => [],
  );
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
