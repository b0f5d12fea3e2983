import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  /** Such as `POST /v1/customers`. */
  call: string;
  query: URLSearchParams;
  form: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** An object, or a function that writes the response. */
export type StripeReply = object | ((response: ServerResponse, received: ReceivedRequest) => void);

/** Start a fake Stripe server on loopback. Each call gets its replies in order; the last one repeats. */
export async function startStripeServer(t: { teardown(work: () => unknown): void }) {
  const requests: ReceivedRequest[] = [];
  const replies = new Map<string, StripeReply[]>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const call = `${request.method} ${url.pathname}`;
      const form = new URLSearchParams(body);
      const received = { call, query: url.searchParams, form, headers: request.headers };
      requests.push(received);
      const left = replies.get(call) ?? [];
      const reply =
        (left.length > 1 ? left.shift() : left[0]) ?? respondWithError(404, { message: 'Unrecognized URL' });
      if (typeof reply === 'function') reply(response, received);
      else sendJson(response, 200, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Set the replies of each call and clear the recorded requests. */
    setReply(calls: Record<string, StripeReply | StripeReply[]>): void {
      requests.length = 0;
      replies.clear();
      for (const [call, reply] of Object.entries(calls)) replies.set(call, [reply].flat());
    },
    calls: () => requests.map((received) => received.call),
  };
}

export function sendJson(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers });
  response.end(JSON.stringify(body));
}

/** Create an error in Stripe's format. */
export function respondWithError(status: number, error: object = {}, headers: object = {}) {
  const body = { error: { type: 'invalid_request_error', message: 'No.', ...error } };
  return (response: ServerResponse) => sendJson(response, status, body, headers);
}

/** Stripe's response for a missing object. */
export const respondNotFound = respondWithError(404, { code: 'resource_missing', param: 'id' });

/** Create a page of a list. */
export function createListResponse(data: readonly object[], hasMore = false): object {
  return { object: 'list', url: '/v1/things', has_more: hasMore, data };
}
