import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { generateRandomAlphanumeric } from '../../../shared/ids.ts';
import { FileExistsError } from '../files.port.ts';
import { nullIfS3ObjectMissing, parseS3Error, type S3Call } from './s3-connection.ts';

interface ObjectAddress {
  Bucket: string;
  Key: string;
}

/** 5 MiB, the minimum part size of servers; one part is in memory at a time. */
const PART_SIZE_BYTES = 5 * 1024 * 1024;

/** Upload a new file. @throws FileExistsError, what `content` throws, and PROVIDER_UNAVAILABLE */
export async function uploadS3Object(
  callS3: S3Call,
  address: ObjectAddress,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  const source = trackSource(content);
  const mark = generateRandomAlphanumeric(16);
  const outcome = await callS3(async (client, library) => {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const body = Readable.from(source.chunks(), { objectMode: false });
    try {
      const params = { ...address, Body: body, IfNoneMatch: '*', Metadata: { mark } };
      const { ETag } = await new Upload({ client, params, queueSize: 1, partSize: PART_SIZE_BYTES }).done();
      if (ETag || (await hasUploadMark(client, library, address, mark))) return 'STORED';
      throw new Error('The response is not that of an S3 server.');
    } catch (error) {
      if (source.failure) return 'SOURCE_FAILED';
      const { name, status } = parseS3Error(error);
      if (status !== 412 && name !== 'ConditionalRequestConflict') throw error;
      // An attempt with a lost response may have stored it.
      return (await hasUploadMark(client, library, address, mark)) ? 'STORED' : 'EXISTS';
    } finally {
      body.destroy();
    }
  });
  if (source.failure) throw source.failure.reason;
  if (outcome === 'EXISTS') throw new FileExistsError();
  return source.size;
}

async function hasUploadMark(
  client: S3Client,
  { HeadObjectCommand }: Pick<typeof import('@aws-sdk/client-s3'), 'HeadObjectCommand'>,
  address: ObjectAddress,
  mark: string,
): Promise<boolean> {
  const head = await nullIfS3ObjectMissing(client.send(new HeadObjectCommand(address)));
  return head?.Metadata?.mark === mark;
}

/** Track size and errors of the source, to tell its errors from those of the store. */
function trackSource(content: AsyncIterable<Uint8Array>) {
  const progress: { size: number; failure: { reason: unknown } | null } = { size: 0, failure: null };
  async function* read() {
    try {
      yield* content;
    } catch (reason) {
      progress.failure = { reason };
      throw reason;
    }
  }
  // Not in `read`: a failing store throws its own error into the stream built over these chunks.
  async function* chunks() {
    for await (const chunk of read()) {
      progress.size += chunk.byteLength;
      yield chunk;
    }
  }
  return Object.assign(progress, { chunks });
}
