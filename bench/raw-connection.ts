import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Milliseconds from the writing of the request to the last byte of its answer. */
  ms: number;
  body: string;
  /** Status line and headers. */
  head: string;
}

/** A keep-alive connection that takes one request at a time and costs the measuring process next to nothing. */
export interface RawConnection {
  /** Sends the bytes of a request; rejects when the connection ends before the answer is complete. */
  send(request: Buffer): Promise<RawAnswer>;
  close(): void;
}

/** Opens a connection to loopback. */
export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return createRawConnection(socket);
}

/** The bytes of a request with an optional JSON body and a bearer token. */
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
    | { begun: number; resolve: (answer: RawAnswer) => void; reject: (error: Error) => void }
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
    const answer = {
      status: Number(head.slice(9, 12)),
      ms: performance.now() - waiting.begun,
      body: bytes.toString('utf8', end + 4, end + 4 + length),
      head,
    };
    received = [];
    const { resolve } = waiting;
    waiting = undefined;
    resolve(answer);
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { begun: performance.now(), resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
