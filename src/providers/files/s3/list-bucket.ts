import { isValidFileName } from '../file-name.ts';
import type { FileStats } from '../files.port.ts';
import { nullIfS3ObjectMissing, parseS3Error, type S3Call } from './s3-connection.ts';

/** Occurs in neither names nor upload ids. */
const UPLOAD_ID_SEPARATOR = '?';

const UNSUPPORTED_ERROR_NAMES = ['NotImplemented', 'MethodNotAllowed'];

export async function* listObjects(
  callS3: S3Call,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<FileStats & { isPartial: boolean }> {
  let Marker: string | undefined;
  do {
    // ListObjects v1: every server supports it, and some fail at the second page of v2.
    const page = await callS3((client, { ListObjectsCommand }) =>
      client.send(new ListObjectsCommand({ Bucket, Prefix, Marker })),
    );
    for (const { Key = '', Size = 0, LastModified = new Date(0), ETag: etag } of page.Contents ?? []) {
      const name = Key.slice(Prefix.length);
      if (isValidFileName(name)) yield { name, size: Size, modifiedAt: LastModified, etag, isPartial: false };
    }
    Marker = page.IsTruncated ? page.Contents?.at(-1)?.Key : undefined;
  } while (Marker !== undefined);
}

export async function* listMultipartUploads(
  callS3: S3Call,
  Bucket: string,
  prefix: string,
  /** Of the keys to list. */
  Prefix = prefix,
): AsyncGenerator<FileStats & { isPartial: boolean }> {
  let markers = {};
  for (;;) {
    const page = await callS3(async (client, { ListMultipartUploadsCommand }) => {
      try {
        return await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...markers }));
      } catch (error) {
        const { name, status = 0 } = parseS3Error(error);
        if (UNSUPPORTED_ERROR_NAMES.includes(name) || status === 501 || status === 405) return null;
        throw error;
      }
    });
    for (const { Key = '', UploadId, Initiated = new Date(0) } of page?.Uploads ?? []) {
      const name = `${Key.slice(prefix.length)}${UPLOAD_ID_SEPARATOR}${UploadId}`;
      yield { name, size: 0, modifiedAt: Initiated, isPartial: true };
    }
    if (!page?.IsTruncated) return;
    markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

/** Check whether a partial file is an upload of a file; other files may begin with its name. */
export function isUploadOf(partialName: string, name: string): boolean {
  return partialName.startsWith(name + UPLOAD_ID_SEPARATOR);
}

export async function abortS3MultipartUpload(
  callS3: S3Call,
  Bucket: string,
  prefix: string,
  name: string,
): Promise<void> {
  const [key, UploadId] = name.split(UPLOAD_ID_SEPARATOR);
  if (key === undefined || !isValidFileName(key) || !UploadId)
    throw new Error('Invalid name of a partial file.');
  await callS3((client, { AbortMultipartUploadCommand }) =>
    nullIfS3ObjectMissing(
      client.send(new AbortMultipartUploadCommand({ Bucket, Key: prefix + key, UploadId })),
    ),
  );
}
