import { Readable } from 'node:stream';
import { fileName } from '../file-name.ts';
import type { FileStore } from '../files.port.ts';
import { abortUpload, listStored, listUploads } from './list-bucket.ts';
import { refuseUseless } from './refuse-useless.ts';
import { answerOf, connectS3, ifThere, type S3Limits, type S3Settings } from './s3-connection.ts';
import { upload } from './upload.ts';

/** Files that are read at a time: each has a connection for as long as its reader takes. */
const MOST_READ = 2_048;

/**
 * Keeps files in a bucket of an S3-compatible server, under a prefix. A name is kept from being taken twice by a
 * condition (If-None-Match), which the server has to know.
 * @param limits for tests
 */
export function createS3Files(
  settings: S3Settings & { prefix: string },
  limits: Partial<S3Limits> = {},
): FileStore {
  const { bucket: Bucket, prefix } = settings;
  const { ask, close } = connectS3(settings, limits);
  // Apart: who reads slowly, or not at all, keeps nobody from the bucket.
  const reading = connectS3(settings, limits, MOST_READ);
  const place = (name: string) => ({ Bucket, Key: prefix + fileName(name) });

  return {
    prepare: () => refuseUseless(ask, Bucket),

    put: (name, content) => upload(ask, place(name), content),

    async stat(name) {
      const object = place(name);
      const head = await ask((client, { HeadObjectCommand }) =>
        ifThere(client.send(new HeadObjectCommand(object))),
      );
      return head && { name, size: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
    },

    async open(name, range) {
      const object = { ...place(name), Range: range && `bytes=${range.first}-${range.last}` };
      return reading.ask(async (client, { GetObjectCommand }) => {
        const answer = await ifLongEnough(ifThere(client.send(new GetObjectCommand(object))));
        if (answer === 'TOO_SHORT') return Readable.from([]);
        if (!answer) return null;
        if (!(answer.Body instanceof Readable)) throw new Error('The server answered without a body.');
        if (!range || (answer.ContentLength ?? Infinity) <= range.last - range.first + 1) return answer.Body;
        // Some take a range of the first byte for none.
        if (range.first === 0) return Readable.from(beginningOf(answer.Body, range.last + 1));
        answer.Body.destroy();
        throw new Error('The server answered another range.');
      });
    },

    async remove(name) {
      const object = place(name);
      await ask((client, { DeleteObjectCommand }) => client.send(new DeleteObjectCommand(object)));
    },

    async *list() {
      yield* listStored(ask, Bucket, prefix);
      yield* listUploads(ask, Bucket, prefix);
    },

    removePartial: (name) => abortUpload(ask, Bucket, prefix, name),

    async close() {
      close();
      reading.close();
    },
  };
}

/** The answer; TOO_SHORT where the file ends before the range begins. */
async function ifLongEnough<Answer>(answer: Promise<Answer>): Promise<Answer | 'TOO_SHORT'> {
  try {
    return await answer;
  } catch (error) {
    if (answerOf(error).status === 416) return 'TOO_SHORT';
    throw error;
  }
}

async function* beginningOf(content: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length;
  for await (const chunk of content) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
