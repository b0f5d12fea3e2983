import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { buildApp } from '../../../src/app.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { createServices } from '../../../src/services.ts';
import {
  DATABASE_TIMEOUTS,
  TEST_SECRETS,
  type TestApp,
  type TestResponse,
  type TestUser,
} from '../../helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

export interface ReceivedEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any;
  id: string | null;
  at: string;
}

/** The client side of a socket. */
export interface TestSocket {
  socket: WebSocket;
  /** All received events. */
  receivedEvents: ReceivedEvent[];
  send(event: string, data?: object): void;
  /** Wait for the first event with this name or condition. */
  waitForEvent(which: string | ((one: ReceivedEvent) => boolean)): Promise<ReceivedEvent>;
  /** Wait for the close code, or the status of a rejected upgrade. */
  end(): Promise<number>;
}

interface SocketOptions {
  protocols?: string[];
  headers?: Record<string, string>;
}

const MAX_WAIT_MS = 40_000;

/** Open a socket that is closed after the test. */
export function openSocket(
  t: Test,
  address: string,
  { protocols = [], headers = {} }: SocketOptions = {},
): TestSocket {
  const socket = new WebSocket(address, protocols, { headers });
  const receivedEvents: ReceivedEvent[] = [];
  let end: number | undefined;
  socket.on('message', (text) => receivedEvents.push(JSON.parse(String(text))));
  socket.on('unexpected-response', (request, response) => {
    end = response.statusCode ?? 0;
    request.destroy();
  });
  socket.on('error', () => undefined);
  socket.on('close', (code) => {
    end ??= code;
  });
  t.teardown(() => socket.terminate());
  return {
    socket,
    receivedEvents,
    send: (event, data) => socket.send(JSON.stringify({ event, ...(data ? { data } : {}) })),
    async waitForEvent(which) {
      const isIt = typeof which === 'string' ? ({ event }: ReceivedEvent) => event === which : which;
      await waitForCondition(`${which}`, () => receivedEvents.some(isIt) || end !== undefined);
      const found = receivedEvents.find(isIt);
      if (!found) throw new Error(`closed with ${end} before: ${which}`);
      return found;
    },
    async end() {
      await waitForCondition('the end', () => end !== undefined);
      return end ?? 0;
    },
  };
}

/** Wait up to 40 s for a condition. */
export async function waitForCondition(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const last = Date.now() + MAX_WAIT_MS; Date.now() < last; await wait(10))
    if (await condition()) return;
  throw new Error(`not within 40 s: ${what}`);
}

/** Listen on a free port and return the URL of its sockets. */
export async function getAddress({ app }: Pick<TestApp, 'app'>): Promise<string> {
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return `${address.replace('http:', 'ws:')}/api/realtime`;
}

/** Start an application with an owner, sockets, and helpers for conversations. */
export async function startRealtime(t: Test, environment: Record<string, string> = {}) {
  const test = await startScans(t, environment);
  const address = await getAddress(test);
  const { owner, call } = test;
  const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  /** Open an authenticated socket of an account. */
  const listen = async (user: TestUser = owner, query = '', at = address): Promise<TestSocket> => {
    const client = openSocket(t, at + query, withToken(user.accessToken));
    await client.waitForEvent('ready');
    return client;
  };
  /** Open an authenticated socket of a finder. */
  const listenAsFinder = async (opened: TestResponse, query = '', at = address): Promise<TestSocket> => {
    const headers = { 'x-conversation-token': opened.body.conversationToken };
    const client = openSocket(t, at + query, { headers });
    await client.waitForEvent('ready');
    return client;
  };
  const converse = async (user: TestUser = owner): Promise<TestResponse> => {
    const made = await test.scan({ qrCodeId: await test.code({}, user) });
    const headers = createTokenHeader(made);
    const opened = await call('POST', '/api/conversations/public', {
      body: { scanId: made.body.scan.id, message: 'Found.' },
      headers,
    });
    if (opened.status !== 201) throw new Error(opened.text);
    return opened;
  };
  const answer = (id: string, message: string, user: TestUser = owner): Promise<TestResponse> =>
    call('POST', `/api/conversations/${id}/messages`, { token: user.accessToken, body: { message } });
  const writeAsFinder = ({ body }: TestResponse, message: string): Promise<TestResponse> =>
    call('POST', `/api/conversations/public/${body.id}/messages`, {
      headers: { 'x-conversation-token': body.conversationToken },
      body: { message },
    });
  return { ...test, address, listen, listenAsFinder, converse, answer, writeAsFinder };
}

/** Simulate another process: services, application and connections of its own on the same database. */
export async function startSecondRealtimeInstance(
  t: Test,
  { services: { config } }: Pick<TestApp, 'services'>,
) {
  const database = openDatabase({
    url: config.databaseUrl ?? '',
    poolSize: 10,
    ...DATABASE_TIMEOUTS,
    onError: () => {},
  });
  const serviceLog: string[] = [];
  const note = (_details: object, message: string) => void serviceLog.push(message);
  const log = { info: note, warn: note, error: note };
  const services = createServices({ config, secrets: TEST_SECRETS, database, log });
  const app = await buildApp(services, false);
  await app.ready();
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await app.close();
    await database.close();
  };
  t.teardown(close);
  return { app, services, database, serviceLog, address: await getAddress({ app }), close };
}
