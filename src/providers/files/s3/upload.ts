import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { randomName } from '../../../shared/ids.ts';
import { FileExistsError } from '../files.port.ts';
import { type Ask, answerOf, ifThere } from './s3-connection.ts';

interface Place {
  Bucket: string;
  Key: string;
}

/** 5 MiB, the smallest that servers take: a part is in memory, one at a time. */
const PART_SIZE = 5 * 1024 * 1024;

/**
 * Streams a new file into the bucket, in parts where it is longer than one, and answers its size. Of one that fails the
 * parts go again. Throws FileExistsError, what `content` throws, and PROVIDER_UNAVAILABLE.
 */
export async function upload(ask: Ask, place: Place, content: AsyncIterable<Uint8Array>): Promise<number> {
  const source = watched(content);
  const mark = randomName(16);
  const outcome = await ask(async (client, library) => {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const body = Readable.from(source.chunks(), { objectMode: false });
    try {
      const params = { ...place, Body: body, IfNoneMatch: '*', Metadata: { mark } };
      await new Upload({ client, params, queueSize: 1, partSize: PART_SIZE }).done();
      return 'STORED';
    } catch (error) {
      if (source.failure) return 'SOURCE_FAILED';
      const { name, status } = answerOf(error);
      if (status !== 412 && name !== 'ConditionalRequestConflict') throw error;
      // A try whose answer was lost may have stored it.
      return (await isMarked(client, library, place, mark)) ? 'STORED' : 'EXISTS';
    } finally {
      body.destroy();
    }
  });
  if (source.failure) throw source.failure.reason;
  if (outcome === 'EXISTS') throw new FileExistsError();
  return source.size;
}

async function isMarked(
  client: S3Client,
  { HeadObjectCommand }: Pick<typeof import('@aws-sdk/client-s3'), 'HeadObjectCommand'>,
  place: Place,
  mark: string,
): Promise<boolean> {
  const head = await ifThere(client.send(new HeadObjectCommand(place)));
  return head?.Metadata?.mark === mark;
}

/** What comes, its size so far, and what it failed of: that is no failure of the store. */
function watched(content: AsyncIterable<Uint8Array>) {
  const seen: { size: number; failure: { reason: unknown } | null } = { size: 0, failure: null };
  async function* read() {
    try {
      yield* content;
    } catch (reason) {
      seen.failure = { reason };
      throw reason;
    }
  }
  // Apart from `read`: where the store fails, the stream over these throws into them what it ends with.
  async function* chunks() {
    for await (const chunk of read()) {
      seen.size += chunk.byteLength;
      yield chunk;
    }
  }
  return Object.assign(seen, { chunks });
}
