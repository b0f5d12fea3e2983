import { isFileName } from '../file-name.ts';
import type { FileFacts } from '../files.port.ts';
import { type Ask, answerOf, ifThere } from './s3-connection.ts';

/** Between a name and the id of its upload; in neither. */
const OF_UPLOAD = '?';

/** Names by which servers say that they do not list what is being uploaded. */
const UNKNOWN = ['NotImplemented', 'MethodNotAllowed'];

/** What is stored under a prefix. */
export async function* listStored(
  ask: Ask,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<FileFacts & { isPartial: boolean }> {
  let Marker: string | undefined;
  do {
    // The first version of this call: every server knows it, and some fail at the second page of the other.
    const page = await ask((client, { ListObjectsCommand }) =>
      client.send(new ListObjectsCommand({ Bucket, Prefix, Marker })),
    );
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
      const name = Key.slice(Prefix.length);
      if (isFileName(name)) yield { name, size: Size, modifiedAt: LastModified, isPartial: false };
    }
    Marker = page.IsTruncated ? page.Contents?.at(-1)?.Key : undefined;
  } while (Marker !== undefined);
}

/** The uploads under a prefix that are not complete; none of a server that does not tell. */
export async function* listUploads(
  ask: Ask,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<FileFacts & { isPartial: boolean }> {
  let markers = {};
  for (;;) {
    const page = await ask(async (client, { ListMultipartUploadsCommand }) => {
      try {
        return await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...markers }));
      } catch (error) {
        const { name, status = 0 } = answerOf(error);
        if (UNKNOWN.includes(name) || status === 501 || status === 405) return null;
        throw error;
      }
    });
    for (const { Key = '', UploadId, Initiated = new Date(0) } of page?.Uploads ?? []) {
      const name = `${Key.slice(Prefix.length)}${OF_UPLOAD}${UploadId}`;
      yield { name, size: 0, modifiedAt: Initiated, isPartial: true };
    }
    if (!page?.IsTruncated) return;
    markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

/** Removes the parts of an upload; nothing happens when they are gone already. */
export async function abortUpload(ask: Ask, Bucket: string, prefix: string, name: string): Promise<void> {
  const [key, UploadId] = name.split(OF_UPLOAD);
  if (key === undefined || !isFileName(key) || !UploadId)
    throw new Error('This is no name of a file that was being written.');
  await ask((client, { AbortMultipartUploadCommand }) =>
    ifThere(client.send(new AbortMultipartUploadCommand({ Bucket, Key: prefix + key, UploadId }))),
  );
}
