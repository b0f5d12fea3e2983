import type { Client } from './client.ts';
import { computeBackoffMs, waitMs } from './delay.ts';
import { NetworkError } from './errors.ts';
import type { Schemas } from './operation-types.ts';

export type ServerEvent = Schemas['RealtimeServerEvent'];
export type ClientEvent = Schemas['RealtimeClientEvent'];

/** The socket was closed for a reason that connecting again does not mend, or could not be opened. */
export class RealtimeError extends Error {
  override readonly name = 'RealtimeError';
  /** https://www.rfc-editor.org/rfc/rfc6455#section-7.4 and those of the service */
  readonly closeCode: number;

  constructor(closeCode: number, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

/** The part of WebSocket that is used; Node 20 has none, and `ws` fits. */
export interface RealtimeSocket {
  onmessage: unknown;
  onclose: unknown;
  onerror: unknown;
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
}

export interface RealtimeOptions {
  /** `id` of the last event of an earlier connection. */
  since?: string | undefined;
  signal?: AbortSignal;
  /** Of a finder, instead of the session of the client. */
  conversationToken?: string;
  /** For Node 20: that of `ws`. */
  WebSocket?: new (
    url: string,
    protocols: string[],
  ) => RealtimeSocket;
  /** Attempts in a row without success; 10 by default. */
  maxAttempts?: number;
}

export interface RealtimeConnection extends AsyncIterable<ServerEvent> {
  /** `id` of the last event that was read: `since` of the next connection. */
  readonly lastEventId: string | undefined;
  /** Send an event. Returns false if the socket is not connected now. */
  send(event: ClientEvent): boolean;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 15_000;
/** Finds connections that are lost without a notice; the socket sends a ping, and ends without any event after it. */
const PING_INTERVAL_MS = 30_000;
const PING_TIMEOUT_MS = 15_000;
/** The access token is replaced so long before it ends. */
const TOKEN_MARGIN_MS = 60_000;
const MAX_DELAY_MS = 30_000;
/** A connection that lasts so long ends the growth of the pauses: a service that ends each one at once is not well. */
const STABLE_CONNECTION_MS = 30_000;
const DEFAULT_MAX_ATTEMPTS = 10;
/** Of events that were not read yet. With more, the socket is closed, and they are read again later. */
const MAX_QUEUE = 1_000;
const OPEN = 1;
const NORMAL_CLOSE = 1000;
const LOST = 1006;
const UNAUTHENTICATED = 4401;
/** Too much, too large, or too many sockets. */
const FINAL_CLOSE_CODES = new Set([1008, 1009, 4429]);

interface Credential {
  kind: 'bearer' | 'conversation';
  token: string;
}

/** Listen to events. Lost connections are opened again, and go on where they ended. Iterate once. */
export function connectRealtime(
  { baseUrl, auth }: Pick<Client, 'baseUrl' | 'auth'>,
  options: RealtimeOptions = {},
): RealtimeConnection {
  const { conversationToken, maxAttempts = DEFAULT_MAX_ATTEMPTS } = options;
  const closing = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
  let socket: RealtimeSocket | null = null;
  let lastEventId = options.since;

  async function* listen(): AsyncGenerator<ServerEvent, void, undefined> {
    let rejected: string | undefined;
    let stable: ReturnType<typeof setTimeout> | undefined;
    let pauses = 0;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      if (attempt > 0) await waitMs(computeBackoffMs(pauses++, MAX_DELAY_MS), signal);
      const isLast = attempt + 1 >= maxAttempts;
      const credential = await getCredential(rejected).catch((error: unknown) => {
        if (isLast || !(error instanceof NetworkError)) throw error;
      });
      if (!credential) continue;
      const opened = openSocket(credential);
      try {
        for await (const event of opened.events) {
          if (event.event === 'ready') {
            [attempt, rejected] = [0, undefined];
            clearTimeout(stable);
            stable = setTimeout(() => {
              pauses = 0;
            }, STABLE_CONNECTION_MS);
          }
          // Where events are missing, `ready` has a position after them, and `resync` is still to come.
          const isPosition = event.event !== 'ready' || lastEventId === undefined;
          if (event.id !== null && isPosition) lastEventId = event.id;
          yield event;
        }
      } finally {
        clearTimeout(stable);
        opened.close();
      }
      const code = opened.getCloseCode();
      if (signal.aborted) break;
      if (FINAL_CLOSE_CODES.has(code)) throw new RealtimeError(code, `The socket was closed with ${code}.`);
      if (code === UNAUTHENTICATED) {
        if (conversationToken !== undefined || rejected !== undefined)
          throw new RealtimeError(code, 'The credential of the socket is not valid.');
        rejected = credential.token;
      }
      if (attempt + 1 >= maxAttempts) throw new RealtimeError(code, 'The socket cannot be opened.');
    }
    options.signal?.throwIfAborted();
  }

  async function getCredential(rejected: string | undefined): Promise<Credential> {
    if (conversationToken !== undefined) return { kind: 'conversation', token: conversationToken };
    const token = await auth.getAccessToken({ ...(rejected && { rejected }), signal });
    if (token === null) throw new RealtimeError(UNAUTHENTICATED, 'Log in first.');
    return { kind: 'bearer', token };
  }

  function openSocket({ kind, token }: Credential) {
    const Socket = options.WebSocket ?? Reflect.get(globalThis, 'WebSocket');
    if (!Socket) throw new TypeError('This platform has no WebSocket: pass one.');
    const url = `${baseUrl.replace(/^http/, 'ws')}/api/realtime`;
    const query = lastEventId === undefined ? '' : `?since=${encodeURIComponent(lastEventId)}`;
    const current: RealtimeSocket = new Socket(url + query, [kind, token]);
    const queue: ServerEvent[] = [];
    let currentToken = token;
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    let closeCode: number | null = null;
    let wake = () => {};
    socket = current;

    const setTimer = (name: string, ms: number, work: () => void) => {
      clearTimeout(timers.get(name));
      timers.set(name, setTimeout(work, ms));
    };
    const end = (code: number) => {
      if (closeCode !== null) return;
      closeCode = code;
      signal.removeEventListener('abort', close);
      for (const timer of timers.values()) clearTimeout(timer);
      if (socket === current) socket = null;
      wake();
    };
    const drop = (code: number) => {
      end(code);
      // A socket that is still connecting throws in some implementations, or reports an error later.
      try {
        current.close(NORMAL_CLOSE);
      } catch {}
    };
    function close(): void {
      drop(NORMAL_CLOSE);
    }
    const expectEvent = () => {
      clearTimeout(timers.get('pong'));
      setTimer('ping', PING_INTERVAL_MS, () => {
        current.send(JSON.stringify({ event: 'ping' }));
        setTimer('pong', PING_TIMEOUT_MS, () => drop(LOST));
      });
    };
    const renewToken = async () => {
      const expiresAt = (await auth.getSession())?.expiresAt;
      if (closeCode !== null || expiresAt === undefined) return;
      setTimer('token', Math.max(0, expiresAt - Date.now() - TOKEN_MARGIN_MS), async () => {
        try {
          const renewed = await auth.getAccessToken({ rejected: currentToken, signal });
          if (renewed === null || current.readyState !== OPEN) return;
          currentToken = renewed;
          current.send(JSON.stringify({ event: 'authenticate', data: { token: renewed } }));
        } catch {
          // The service closes the socket when the token ends, and the next attempt reports why.
        }
      });
    };

    setTimer('connect', CONNECT_TIMEOUT_MS, () => drop(LOST));
    signal.addEventListener('abort', close, { once: true });
    current.onmessage = ({ data }: { data: unknown }) => {
      if (closeCode !== null) return;
      const event = parseEvent(String(data));
      if (!event) return drop(LOST);
      expectEvent();
      if (event.event === 'ready') {
        clearTimeout(timers.get('connect'));
        if (kind === 'bearer') void renewToken();
      }
      queue.push(event);
      if (queue.length > MAX_QUEUE) {
        queue.length = 0;
        drop(LOST);
      }
      wake();
    };
    current.onclose = ({ code }: { code: number }) => end(code);
    current.onerror = () => {};

    async function* readEvents(): AsyncGenerator<ServerEvent> {
      for (;;) {
        const event = queue.shift();
        if (event) yield event;
        else if (closeCode !== null) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    }
    return { events: readEvents(), close, getCloseCode: () => closeCode ?? LOST };
  }

  return {
    get lastEventId() {
      return lastEventId;
    },
    send(event) {
      if (socket?.readyState !== OPEN) return false;
      socket.send(JSON.stringify(event));
      return true;
    },
    close: () => closing.abort(),
    async *[Symbol.asyncIterator]() {
      try {
        yield* listen();
      } catch (error) {
        // The caller has closed it.
        if (!closing.signal.aborted) throw error;
      }
    },
  };
}

function parseEvent(text: string): ServerEvent | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
