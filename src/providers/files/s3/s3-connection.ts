import type { S3Client } from '@aws-sdk/client-s3';
import { createStoreUnavailableError } from '../store-unavailable-error.ts';

type S3Library = typeof import('@aws-sdk/client-s3');

/** Milliseconds until a server has taken a connection, and until it answers; a part of 5 MiB goes with the question. */
const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Milliseconds for which nothing may move while a file is read, by people on slow lines, too. */
const SOCKET_TIMEOUT_MS = 120_000;

/** Each question has one until it is answered. */
const MAX_SOCKETS = 256;

const MAX_ATTEMPTS = 3;

/** Where files are kept; without an endpoint at Amazon's. */
export interface S3Settings {
  endpoint: string | undefined;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is named in the path and not in the host's name. */
  pathStyle: boolean;
}

/** How long a server has, and how often it is asked; for tests. */
export interface S3Limits {
  requestTimeout: number;
  tries: number;
}

/** Does something with the library; throws PROVIDER_UNAVAILABLE for whatever goes wrong. */
export type S3Call = <Result>(
  work: (client: S3Client, library: S3Library) => Promise<Result>,
) => Promise<Result>;

/** A client that is opened with the first question: the library is large. */
export function connectS3(
  settings: S3Settings,
  limits: Partial<S3Limits>,
  maxSockets = MAX_SOCKETS,
): { callS3: S3Call; close(): void } {
  let connection: Promise<{ client: S3Client; library: S3Library }> | undefined;
  let isClosed = false;
  const open = async () => {
    const library = await import('@aws-sdk/client-s3');
    const client = new library.S3Client({
      ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
      region: settings.region,
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      forcePathStyle: settings.pathStyle,
      maxAttempts: limits.tries ?? MAX_ATTEMPTS,
      // A checked answer is another stream over the socket, which stays open when that is destroyed.
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: limits.requestTimeout ?? REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
        socketTimeout: SOCKET_TIMEOUT_MS,
        httpAgent: { maxSockets },
        httpsAgent: { maxSockets },
      },
    });
    if (isClosed) client.destroy();
    return { client, library };
  };
  return {
    async callS3(work) {
      connection ??= open();
      const { client, library } = await connection;
      try {
        return await work(client, library);
      } catch (error) {
        throw createStoreUnavailableError(error);
      }
    },
    close() {
      isClosed = true;
      void connection?.then(({ client }) => client.destroy());
    },
  };
}

/** The name that the server gave an error, and its status. */
export function parseS3Error(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined };
  const metadata: unknown = Reflect.get(error, '$metadata');
  const status: unknown = metadata instanceof Object ? Reflect.get(metadata, 'httpStatusCode') : undefined;
  return { name: error.name, status: typeof status === 'number' ? status : undefined };
}

/** The answer of the server; null where it says that there is no such thing in the bucket. */
export async function nullIfObjectMissing<Result>(response: Promise<Result>): Promise<Result | null> {
  try {
    return await response;
  } catch (error) {
    const { name, status } = parseS3Error(error);
    if (status === 404 && name !== 'NoSuchBucket') return null;
    throw error;
  }
}
