import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Milliseconds from writing the request to the last byte of the response. */
  ms: number;
  body: string;
  head: string;
}

/** Keep-alive connection for one request at a time, with very little CPU time in the measuring process. */
export interface RawConnection {
  /** Send the bytes of a request; rejects if the connection ends before the response is complete. */
  send(request: Buffer): Promise<RawAnswer>;
  close(): void;
}

export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return createRawConnection(socket);
}

export function encodeRawRequest(
  method: string,
  path: string,
  { body, token }: { body?: unknown; token?: string | undefined } = {},
): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(content ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${content}`);
}

function createRawConnection(socket: Socket): RawConnection {
  let received: Buffer[] = [];
  let waiting:
    | { startedAt: number; resolve: (response: RawAnswer) => void; reject: (error: Error) => void }
    | undefined;
  socket.on('error', () => undefined);
  socket.on('close', () => waiting?.reject(new Error('The connection ended.')));
  socket.on('data', (chunk) => {
    received.push(chunk);
    const bytes = received.length === 1 ? chunk : Buffer.concat(received);
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 || !waiting) return;
    const head = bytes.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (bytes.length < end + 4 + length) return;
    const response = {
      status: Number(head.slice(9, 12)),
      ms: performance.now() - waiting.startedAt,
      body: bytes.toString('utf8', end + 4, end + 4 + length),
      head,
    };
    received = [];
    const { resolve } = waiting;
    waiting = undefined;
    resolve(response);
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { startedAt: performance.now(), resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
