import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import { WebSocket } from 'ws';
import { buildApp } from '../../../src/app.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { createServices } from '../../../src/services.ts';
import { TEST_SECRETS, type TestApp, type TestResponse, type TestUser } from '../../helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

/** A message of the service. */
export interface ReceivedEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any;
  id: string | null;
  at: string;
}

/** A client's end of a socket. */
export interface TestSocket {
  socket: WebSocket;
  /** All that was heard so far. */
  receivedEvents: ReceivedEvent[];
  send(event: string, data?: object): void;
  /** The first event of this name, or that this is true of; waits for it. */
  waitForEvent(which: string | ((one: ReceivedEvent) => boolean)): Promise<ReceivedEvent>;
  /** Waits for the end: the code of the close, or the status of an upgrade that was refused. */
  end(): Promise<number>;
}

interface SocketOptions {
  protocols?: string[];
  headers?: Record<string, string>;
}

const MAX_WAIT_MS = 40_000;

/** Opens a socket; it is gone after the test. */
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

/** Waits for something to be true, for 40 s at most. */
export async function waitForCondition(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const last = Date.now() + MAX_WAIT_MS; Date.now() < last; await wait(10)) if (await holds()) return;
  throw new Error(`not within 40 s: ${what}`);
}

/** Listens at a free port; the address of its sockets. */
export async function getAddress({ app }: Pick<TestApp, 'app'>): Promise<string> {
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return `${address.replace('http:', 'ws:')}/api/realtime`;
}

/** A running application with an owner, its sockets, and ways to converse. */
export async function startRealtime(t: Test, environment: Record<string, string> = {}) {
  const test = await startScans(t, environment);
  const address = await getAddress(test);
  const { owner, call } = test;
  const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  /** An account's socket that is let in. */
  const listen = async (person: TestUser = owner, query = '', at = address): Promise<TestSocket> => {
    const client = openSocket(t, at + query, withToken(person.accessToken));
    await client.waitForEvent('ready');
    return client;
  };
  /** The socket of the finder of a conversation that is let in. */
  const listenAsFinder = async (opened: TestResponse, query = '', at = address): Promise<TestSocket> => {
    const headers = { 'x-conversation-token': opened.body.conversationToken };
    const client = openSocket(t, at + query, { headers });
    await client.waitForEvent('ready');
    return client;
  };
  const converse = async (person: TestUser = owner): Promise<TestResponse> => {
    const made = await test.scan({ qrCodeId: await test.code({}, person) });
    const headers = createTokenHeader(made);
    const opened = await call('POST', '/api/conversations/public', {
      body: { scanId: made.body.scan.id, message: 'Found.' },
      headers,
    });
    if (opened.status !== 201) throw new Error(opened.text);
    return opened;
  };
  const answer = (id: string, message: string, person: TestUser = owner): Promise<TestResponse> =>
    call('POST', `/api/conversations/${id}/messages`, { token: person.accessToken, body: { message } });
  const writeAsFinder = ({ body }: TestResponse, message: string): Promise<TestResponse> =>
    call('POST', `/api/conversations/public/${body.id}/messages`, {
      headers: { 'x-conversation-token': body.conversationToken },
      body: { message },
    });
  return { ...test, address, listen, listenAsFinder, converse, answer, writeAsFinder };
}

/** Another process in miniature: services and an application of its own, with connections of its own, on the same database. */
export async function startSecondRealtimeInstance(
  t: Test,
  { services: { config } }: Pick<TestApp, 'services'>,
) {
  const database = openDatabase({ url: config.databaseUrl ?? '', poolSize: 10, onError: () => {} });
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
