import pg from 'pg';

/** The messages that the driver passes on to what it runs. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

type CopyValue = string | number | boolean | Date | Buffer | null;

/** A row as COPY reads it, of values in the order of the columns. */
export function formatCopyLine(values: readonly CopyValue[]): string {
  return `${values.map(formatCopyValue).join('\t')}\n`;
}

function formatCopyValue(value: CopyValue): string {
  if (value === null) return '\\N';
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return String(value).replace(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character] ?? character);
}

const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Sends rows to `COPY … FROM STDIN`; rejects with what the server says. */
export function copyRowsIn(
  client: Pick<pg.ClientBase, 'query'>,
  statement: string,
  lines: string,
): Promise<void> {
  return runCopy(client, statement, (wire) => {
    wire.sendCopyFromChunk(Buffer.from(lines));
    wire.endCopyFrom();
  });
}

/** Runs `COPY … TO STDOUT` and hands on each row that comes, without its line break. */
export function copyRowsOut(
  client: Pick<pg.ClientBase, 'query'>,
  statement: string,
  onRow: (row: Buffer) => void,
): Promise<void> {
  return runCopy(client, statement, undefined, onRow);
}

function runCopy(
  client: Pick<pg.ClientBase, 'query'>,
  statement: string,
  onReady?: (wire: CopyConnection) => void,
  onRow?: (row: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed: Error | undefined;
    client.query({
      submit: (wire: CopyConnection) => wire.query(statement),
      handleCopyInResponse: (wire: CopyConnection) => onReady?.(wire),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => onRow?.(chunk.subarray(0, -1)),
      handleError(error: Error) {
        failed = error;
        // A connection that breaks has no end of a statement.
        if (!(error instanceof pg.DatabaseError)) reject(error);
      },
      handleReadyForQuery: () => (failed ? reject(failed) : resolve()),
      handleCommandComplete() {},
      handleEmptyQuery() {},
      handleRowDescription() {},
      handleDataRow() {},
      handlePortalSuspended() {},
    } as unknown as pg.Submittable);
  });
}
