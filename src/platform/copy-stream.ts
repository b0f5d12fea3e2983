import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { LONG_ANSWER_TIMEOUT_MS } from './database-client.ts';

const BATCH_BYTES = 64 * 1024;

type CopyClient = Pick<pg.ClientBase, 'query'>;

interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Copy rows by `COPY … TO STDOUT` into a stream, no faster than it takes them; returns their number. */
export function copyRowsToStream(
  client: CopyClient,
  statement: string,
  output: Writable,
  /** Receives the number of rows so far. */
  onProgress: (rows: number) => void = () => {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    let connection: CopyConnection | undefined;
    let batch = Buffer.allocUnsafe(BATCH_BYTES);
    let batchBytes = 0;
    let rows = 0;
    const resume = () => connection?.stream.resume();
    const flush = () => {
      onProgress(rows);
      if (batchBytes === 0) return;
      if (!output.write(batch.subarray(0, batchBytes))) {
        connection?.stream.pause();
        output.once('drain', resume);
      }
      batch = Buffer.allocUnsafe(BATCH_BYTES);
      batchBytes = 0;
    };
    // A silent server, or an output that takes nothing.
    const abort = () => connection?.stream.destroy(new Error('The copy was interrupted.'));
    const stop = () => {
      connection?.stream.setTimeout(0).off('timeout', abort);
      output.off('drain', resume).off('close', abort);
      resume();
    };
    output.once('close', abort);
    runCopy(client, {
      submit(wire) {
        connection = wire;
        wire.stream.setTimeout(LONG_ANSWER_TIMEOUT_MS).once('timeout', abort);
        wire.query(statement);
      },
      onRow(row) {
        rows += 1;
        if (batchBytes + row.length > BATCH_BYTES) flush();
        if (row.length > BATCH_BYTES) {
          batch = Buffer.from(row);
          batchBytes = row.length;
          flush();
          return;
        }
        // The driver uses its memory again.
        batchBytes += row.copy(batch, batchBytes);
      },
    })
      .finally(() => {
        flush();
        stop();
      })
      .then(resolve, reject);
  });
}

/** Copy rows from a stream by `COPY … FROM STDIN`, no faster than the server takes them; returns their number. */
export async function copyStreamToRows(
  client: CopyClient,
  statement: string,
  input: AsyncIterable<Buffer>,
): Promise<number> {
  let hasFailed = false;
  let inputError: unknown;
  const send = async (wire: CopyConnection) => {
    try {
      for await (const chunk of input) {
        if (hasFailed) return;
        wire.sendCopyFromChunk(chunk);
        if (wire.stream.writableNeedDrain) await waitForDrain(wire.stream);
      }
      wire.endCopyFrom();
    } catch (error) {
      inputError = error;
      wire.sendCopyFail('The input failed.');
    }
  };
  try {
    return await runCopy(client, { submit: (wire) => wire.query(statement), onCopyIn: send });
  } catch (error) {
    hasFailed = true;
    throw inputError ?? error;
  }
}

/** Until the socket can take more, or is closed. */
async function waitForDrain(stream: CopyConnection['stream']): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    ending.abort();
  }
}

function runCopy(
  client: CopyClient,
  options: {
    submit(wire: CopyConnection): void;
    onRow?(row: Buffer): void;
    onCopyIn?(wire: CopyConnection): Promise<void>;
  },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    let rows = 0;
    client.query({
      submit: options.submit,
      handleCopyInResponse: (wire: CopyConnection) => options.onCopyIn?.(wire),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => options.onRow?.(chunk),
      handleCommandComplete({ text }: { text: string }) {
        rows = Number(/^COPY (\d+)$/.exec(text)?.[1]);
      },
      handleError(error: Error) {
        failure = error;
        // Only the server reports later that it is ready again.
        if (!(error instanceof pg.DatabaseError)) reject(error);
      },
      handleReadyForQuery: () => (failure ? reject(failure) : resolve(rows)),
      handleEmptyQuery() {},
      handleRowDescription() {},
      handleDataRow() {},
      handlePortalSuspended() {},
    } as unknown as pg.Submittable);
  });
}
