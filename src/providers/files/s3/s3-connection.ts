import type { S3Client } from '@aws-sdk/client-s3';
import { traceCall } from '../../../shared/tracing.ts';
import { createFileStoreUnavailableError } from '../store-unavailable-error.ts';

type S3Library = typeof import('@aws-sdk/client-s3');

/**
 * Milliseconds to connect and to respond; a request may include a part of 5 MiB. With the retries below the 30 s after
 * which the client's connection is closed without an answer.
 */
const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 8_000;

/** Milliseconds without data while a file is read, also on slow connections. */
const SOCKET_TIMEOUT_MS = 120_000;

/** Each request uses one until its response. */
const MAX_SOCKETS = 256;

const MAX_ATTEMPTS = 3;

/** Without an endpoint the bucket is at Amazon. */
export interface S3Settings {
  endpoint: string | undefined;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is in the path instead of the host name. */
  pathStyle: boolean;
}

/** For tests. */
export interface S3CallLimits {
  requestTimeout: number;
  stallTimeout: number;
  tries: number;
}

/** Call the SDK. @throws PROVIDER_UNAVAILABLE for any error */
export type S3Call = <Result>(
  work: (client: S3Client, library: S3Library) => Promise<Result>,
) => Promise<Result>;

/** Load the large libraries of requests and uploads. */
export async function loadS3Libraries(): Promise<void> {
  await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
}

/** Create a client that loads the large SDK on the first call. */
export function createS3Connection(
  settings: S3Settings,
  limits: Partial<S3CallLimits>,
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
      // A checked response is wrapped in another stream, whose destruction leaves the socket open.
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
    traceOperations(client);
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
        throw createFileStoreUnavailableError(error);
      }
    },
    close() {
      isClosed = true;
      void connection?.then(({ client }) => client.destroy());
    },
  };
}

/** By name: buckets and keys stay out of traces. */
function traceOperations(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = 'unknown' }) =>
      (input) => {
        const operation = commandName.replace(/Command$/, '');
        const attributes = { 'rpc.system.name': 'aws-api', 'rpc.method': `S3/${operation}` };
        return traceCall(`S3 ${operation}`, { kind: 'client', attributes }, () => next(input));
      },
    { step: 'initialize', name: 'traceOperations' },
  );
}

export function parseS3Error(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined };
  const metadata: unknown = Reflect.get(error, '$metadata');
  const status: unknown = metadata instanceof Object ? Reflect.get(metadata, 'httpStatusCode') : undefined;
  return { name: error.name, status: typeof status === 'number' ? status : undefined };
}

export async function nullIfS3ObjectMissing<Result>(response: Promise<Result>): Promise<Result | null> {
  try {
    return await response;
  } catch (error) {
    const { name, status } = parseS3Error(error);
    if (status === 404 && name !== 'NoSuchBucket') return null;
    throw error;
  }
}
