import { Readable } from 'node:stream';
import { requireValidFileName } from '../file-name.ts';
import type { FileStore } from '../files.port.ts';
import { assertBucketUsable } from './assert-bucket-usable.ts';
import { abortS3MultipartUpload, isUploadOf, listMultipartUploads, listObjects } from './list-bucket.ts';
import {
  createS3Connection,
  nullIfS3ObjectMissing,
  parseS3Error,
  type S3CallLimits,
  type S3Settings,
} from './s3-connection.ts';
import { uploadS3Object } from './upload-object.ts';

/** Concurrent reads: each uses a connection until its reader is done. */
const MAX_READ_SOCKETS = 2_048;

/** Create a store in a bucket; the server must support If-None-Match, which keeps names unique. */
export function createS3FileStore(
  settings: S3Settings & { prefix: string },
  limits: Partial<S3CallLimits> = {},
): FileStore {
  const { bucket: Bucket, prefix } = settings;
  const { callS3, close } = createS3Connection(settings, limits);
  // A separate pool, so that slow readers do not block other calls.
  const readConnection = createS3Connection(settings, limits, MAX_READ_SOCKETS);
  const toObjectAddress = (name: string) => ({ Bucket, Key: prefix + requireValidFileName(name) });

  return {
    folder: null,

    prepare: () => assertBucketUsable(callS3, Bucket),

    put: (name, content) => uploadS3Object(callS3, toObjectAddress(name), content),

    async stat(name) {
      const object = toObjectAddress(name);
      const head = await callS3((client, { HeadObjectCommand }) =>
        nullIfS3ObjectMissing(client.send(new HeadObjectCommand(object))),
      );
      return head && { name, size: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
    },

    async open(name, range) {
      const object = { ...toObjectAddress(name), Range: range && `bytes=${range.first}-${range.last}` };
      return readConnection.callS3(async (client, { GetObjectCommand }) => {
        const response = await mapRangeError(
          nullIfS3ObjectMissing(client.send(new GetObjectCommand(object))),
        );
        if (response === 'TOO_SHORT') return Readable.from([]);
        if (!response) return null;
        if (!(response.Body instanceof Readable)) throw new Error('The response has no body.');
        if (!range || (response.ContentLength ?? Infinity) <= range.last - range.first + 1)
          return response.Body;
        // Some servers ignore a range of the first byte only.
        if (range.first === 0) return Readable.from(takeFirstBytes(response.Body, range.last + 1));
        response.Body.destroy();
        throw new Error('The response has another range.');
      });
    },

    async remove(name) {
      const object = toObjectAddress(name);
      await callS3((client, { DeleteObjectCommand }) => client.send(new DeleteObjectCommand(object)));
    },

    async removeUnfinished(name) {
      const { Key } = toObjectAddress(name);
      for await (const upload of listMultipartUploads(callS3, Bucket, prefix, Key))
        if (isUploadOf(upload.name, name)) await abortS3MultipartUpload(callS3, Bucket, prefix, upload.name);
    },

    async *list() {
      yield* listObjects(callS3, Bucket, prefix);
      yield* listMultipartUploads(callS3, Bucket, prefix);
    },

    removePartial: (name) => abortS3MultipartUpload(callS3, Bucket, prefix, name),

    async close() {
      close();
      readConnection.close();
    },
  };
}

async function mapRangeError<Answer>(response: Promise<Answer>): Promise<Answer | 'TOO_SHORT'> {
  try {
    return await response;
  } catch (error) {
    if (parseS3Error(error).status === 416) return 'TOO_SHORT';
    throw error;
  }
}

async function* takeFirstBytes(content: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let remaining = length;
  for await (const chunk of content) {
    yield chunk.subarray(0, remaining);
    remaining -= chunk.length;
    if (remaining <= 0) return;
  }
}
