import { Readable } from 'node:stream';
import type { GetObjectCommandInput } from '@aws-sdk/client-s3';
import { RemoteRefusalError } from '../../../shared/config-error.ts';
import { requireValidFileName } from '../file-name.ts';
import type { ByteRange, FileStore } from '../files.port.ts';
import { createFileStoreUnavailableError } from '../store-unavailable-error.ts';
import { abortS3MultipartUpload, isUploadOf, listMultipartUploads, listObjects } from './list-bucket.ts';
import { ResumableBody } from './resumable-body.ts';
import {
  createS3Connection,
  nullIfS3ObjectMissing,
  parseS3Error,
  type S3Call,
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

  const getObject = (object: GetObjectCommandInput, range: ByteRange | undefined) =>
    readConnection.callS3(async (client, { GetObjectCommand }) => {
      const Range = range && `bytes=${range.first}-${range.last}`;
      const request = client.send(new GetObjectCommand({ ...object, Range }));
      const response = await mapRangeError(nullIfS3ObjectMissing(request));
      if (response === 'TOO_SHORT' || !response) return response;
      const { Body, ContentLength, ETag } = response;
      if (!(Body instanceof Readable)) throw new Error('The response has no body.');
      try {
        assertIsObject(response);
        if (range && range.first > 0) assertIsRange(ContentLength, range);
      } catch (error) {
        Body.destroy();
        throw error;
      }
      return { Body, ContentLength, ETag };
    });

  return {
    folder: null,

    prepare: () => assertBucketUsable(callS3, Bucket),

    put: (name, content) => uploadS3Object(callS3, toObjectAddress(name), content),

    async stat(name) {
      const object = toObjectAddress(name);
      const head = await callS3(async (client, { HeadObjectCommand }) => {
        const response = await nullIfS3ObjectMissing(client.send(new HeadObjectCommand(object)));
        if (response) assertIsObject(response);
        return response;
      });
      if (!head) return null;
      const { ContentLength: size = 0, LastModified: modifiedAt = new Date(0), ETag: etag } = head;
      return { name, size, modifiedAt, etag };
    },

    async open(name, range) {
      const object = toObjectAddress(name);
      const response = await getObject(object, range);
      if (response === 'TOO_SHORT') return Readable.from([]);
      if (!response) return null;
      const { Body: body, ContentLength: length, ETag: IfMatch } = response;
      const first = range?.first ?? 0;
      const maxLength = range ? range.last - first + 1 : Infinity;
      // Some servers ignore a range of the first byte only.
      if (length === undefined || length > maxLength) return Readable.from(takeFirstBytes(body, maxLength));
      const openRest = async (offset: number) => {
        const rest = { first: first + offset, last: first + length - 1 };
        const continued = await getObject({ ...object, IfMatch }, rest);
        if (continued && continued !== 'TOO_SHORT') return continued.Body;
        throw createFileStoreUnavailableError(new Error('The object is gone.'));
      };
      return new ResumableBody(body, length, openRest, limits.stallTimeout);
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

/** Every S3 server sends an ETag; something else that answers 200, such as a proxy's page, does not. */
function assertIsObject({ ETag }: { ETag?: string | undefined }): void {
  if (!ETag) throw new Error('The response is not that of an S3 server.');
}

function assertIsRange(length: number | undefined, { first, last }: ByteRange): void {
  if ((length ?? Infinity) > last - first + 1) throw new Error('The response has another range.');
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

/** @throws RemoteRefusalError for an absent bucket or invalid keys, PROVIDER_UNAVAILABLE without a response */
async function assertBucketUsable(callS3: S3Call, bucket: string): Promise<void> {
  const problem = await callS3(async (client, { HeadBucketCommand }) => {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
      return null;
    } catch (error) {
      const { status = 0 } = parseS3Error(error);
      if (status === 404) return 'S3_BUCKET: the bucket does not exist.';
      if (status >= 300 && status < 400) return 'S3_REGION: the bucket is in another region.';
      if (status === 401 || status === 403 || status === 400)
        return 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: access to the bucket denied.';
      throw error;
    }
  });
  if (problem !== null) throw new RemoteRefusalError([problem]);
}
