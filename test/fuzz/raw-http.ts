import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  /** Names in lower case; repeated headers are joined by commas. */
  headers: Record<string, string>;
  body: Buffer;
}

const RESPONSE_TIMEOUT_MS = 45_000;

/**
 * Connection that sends bytes unchanged and reads one response after another. An HTTP client would correct or reject
 * malformed requests.
 */
export class RawConnection {
  private socket: Socket | undefined;
  private received: Buffer = Buffer.alloc(0);
  private wake: () => void = () => {};
  private readonly host: string;
  private readonly port: number;

  constructor(host: string, port: number) {
    this.host = host;
    this.port = port;
  }

  /**
   * Send a request and wait for its response; returns null if the connection was closed without one.
   * @param isHead the response has no body, whatever its headers say
   * @param isMalformed the framing is malformed: close the connection after the response
   */
  async request(bytes: Buffer, { isHead = false, isMalformed = false } = {}): Promise<RawResponse | null> {
    const fresh = this.socket === undefined;
    const response = await this.exchange(bytes, isHead);
    // An idle connection may have been closed while the request was in transit.
    if (response === null && !fresh) return this.exchange(bytes, isHead);
    if (isMalformed) this.close();
    return response;
  }

  /** Send the beginning of a request and close the connection. */
  async abort(bytes: Buffer): Promise<void> {
    this.close();
    const socket = await this.open();
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    this.close();
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
  }

  private async exchange(bytes: Buffer, isHead: boolean): Promise<RawResponse | null> {
    const socket = this.socket ?? (await this.open());
    this.received = Buffer.alloc(0);
    socket.write(bytes);
    const deadline = Date.now() + RESPONSE_TIMEOUT_MS;
    for (;;) {
      const response = parseResponse(this.received, isHead, socket.readableEnded || socket.destroyed);
      if (response === 'more') {
        if (socket.readableEnded || socket.destroyed) {
          this.close();
          return null;
        }
        if (Date.now() > deadline) {
          this.close();
          return null;
        }
        await this.waitForData(deadline - Date.now());
        continue;
      }
      if ('rest' in response) {
        // Interim responses (100) precede the final one.
        this.received = response.rest;
        continue;
      }
      if (socket.destroyed || socket.readableEnded || /close/i.test(response.headers.connection ?? ''))
        this.close();
      return response;
    }
  }

  private open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.host, port: this.port, noDelay: true });
      socket.once('connect', () => {
        this.socket = socket;
        resolve(socket);
      });
      socket.once('error', reject);
      socket.on('error', () => this.wake());
      socket.on('data', (chunk) => {
        this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
        this.wake();
      });
      for (const event of ['end', 'close'] as const) socket.on(event, () => this.wake());
    });
  }

  private waitForData(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Parse the first response in the received bytes; `more` while it is incomplete. */
function parseResponse(
  bytes: Buffer,
  isHead: boolean,
  isEnded: boolean,
): RawResponse | 'more' | { rest: Buffer } {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return 'more';
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  const rest = bytes.subarray(end + 4);
  if (status >= 100 && status < 200) return { rest: Buffer.from(rest) };
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  if (isHead || status === 204 || status === 304) return { status, headers, body: Buffer.alloc(0) };
  if (headers['transfer-encoding'] === 'chunked') {
    const body = decodeChunked(rest);
    return body === undefined ? 'more' : { status, headers, body };
  }
  if (headers['content-length'] === undefined)
    return isEnded ? { status, headers, body: Buffer.from(rest) } : 'more';
  const length = Number(headers['content-length']);
  return rest.length < length ? 'more' : { status, headers, body: Buffer.from(rest.subarray(0, length)) };
}

function decodeChunked(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let from = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', from);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', from, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, next - 2));
    from = next;
  }
}
