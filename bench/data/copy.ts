import pg from 'pg';

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

type CopyValue = string | number | boolean | Date | Buffer | null;

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
        // A broken connection does not end the statement.
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
