declare module 's3rver' {
  import type { RequestListener } from 'node:http';
  import type { Readable } from 'node:stream';

  interface StoredObject {
    bucket: string;
    key: string;
    content: Readable | Buffer;
    metadata: object;
  }

  interface Stored {
    size: number;
    md5: string;
  }

  /** S3 test server that stores buckets in folders; the package has no types. */
  export default class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string; configs: [] }[];
    });
    /** Resolves shortly before the whole object is in its file. */
    store: {
      putObject(object: StoredObject): Promise<Stored>;
      putPart(bucket: string, uploadId: string, part: string, content: Readable): Promise<Stored>;
      putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
      getResourcePath(bucket: string, key: string | undefined, kind: string): string;
    };
    logger: { exceptions: { unhandle(): void }; close(): void };
    configureBuckets(): Promise<void>;
    callback(): RequestListener;
  }
}
