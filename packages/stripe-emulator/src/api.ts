import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, API_VERSION } from './account.ts';
import type { ApiRoute } from './api-routes.ts';
import { processDueObjects } from './clock.ts';
import { toApiResponse } from './expand.ts';
import type { FaultQueue, InjectedFault } from './faults.ts';
import { decodeForm } from './form.ts';
import type { ApiResponse, IdempotentAnswers } from './idempotency.ts';
import { generateStripeId } from './ids.ts';
import { assertKnownParams, parseStringList } from './params.ts';
import { readBody, sendJson } from './read-request.ts';
import { createInvalidRequestError, StripeFailure } from './stripe-error.ts';

export interface ApiSettings {
  account: Account;
  secretKey: string;
  routes: readonly ApiRoute[];
  faults: FaultQueue;
  answers: IdempotentAnswers;
}

export async function handleApi(
  settings: ApiSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = generateStripeId('req', 14);
  const headers: Record<string, string> = { 'Request-Id': id, 'Stripe-Version': API_VERSION };
  try {
    const body = await readBody(request);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const fault = settings.faults.takeMatching(request.method ?? '', path);
    if (fault?.kind === 'away') return void response.destroy();
    assertAuthorized(settings, request);
    throwInjectedFault(fault);
    const answer = await performIdempotently(
      settings,
      request,
      { id, path, text: request.method === 'POST' ? body : query },
      fault,
      headers,
    );
    if (fault?.kind === 'cut') {
      await wait(fault.ms, undefined, { ref: false });
      return void response.destroy();
    }
    sendJson(response, answer.status, answer.body, headers);
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    sendJson(response, error.status, formatFailureBody(error), { ...headers, ...error.headers });
  }
}

interface ApiRequest {
  id: string;
  path: string;
  text: string;
}

async function performIdempotently(
  settings: ApiSettings,
  request: IncomingMessage,
  apiRequest: ApiRequest,
  fault: InjectedFault | null,
  headers: Record<string, string>,
): Promise<ApiResponse> {
  const key = request.method === 'POST' ? (request.headers['idempotency-key']?.toString() ?? null) : null;
  if (key) {
    headers['Idempotency-Key'] = key;
    const now = settings.account.getRealSeconds();
    const known = settings.answers.begin(key, `${request.method} ${apiRequest.path} ${apiRequest.text}`, now);
    if (known) {
      headers['Idempotent-Replayed'] = 'true';
      return known;
    }
  }
  try {
    if (fault?.kind === 'slow') await wait(fault.ms, undefined, { ref: false });
    const done = performRequest(settings, request.method ?? '', apiRequest, key);
    const answer = fault?.kind === 'halfway' ? { status: 500, body: formatFailureBody(UNKNOWN_ERROR) } : done;
    if (key) settings.answers.finish(key, answer);
    return answer;
  } finally {
    if (key) settings.answers.abandon(key);
  }
}

/** Synchronous, so that requests never interleave. */
function performRequest(
  settings: ApiSettings,
  method: string,
  apiRequest: ApiRequest,
  key: string | null,
): ApiResponse {
  const { account } = settings;
  processDueObjects(account);
  account.request = { id: apiRequest.id, idempotency_key: key };
  try {
    const { route, id } = findRoute(settings.routes, method, apiRequest.path);
    const form = decodeForm(apiRequest.text);
    assertKnownParams(form, route.params);
    const result = route.handle({ account, form, id });
    const answer = toApiResponse(account, result, parseStringList(form, 'expand'));
    return { status: 200, body: JSON.stringify(answer, null, 2) };
  } catch (error) {
    // A declined card is stored as the result; an invalid request is not.
    if (error instanceof StripeFailure && error.status === 402)
      return { status: 402, body: formatFailureBody(error) };
    throw error;
  } finally {
    account.request = null;
  }
}

function findRoute(
  routes: readonly ApiRoute[],
  method: string,
  path: string,
): { route: ApiRoute; id: string } {
  const parts = path.split('/');
  for (const route of routes) {
    const pattern = route.path.split('/');
    if (route.method !== method || pattern.length !== parts.length) continue;
    const isMatch = pattern.every((part, index) => part === parts[index] || (part === ':id' && parts[index]));
    if (isMatch) return { route, id: decodeURIComponent(parts[pattern.indexOf(':id')] ?? '') };
  }
  throw new StripeFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path.slice(0, 100)}). The sandbox supports only a part of Stripe’s API.`,
  });
}

function assertAuthorized({ secretKey }: ApiSettings, request: IncomingMessage): void {
  if (request.headers.authorization !== `Bearer ${secretKey}`)
    throw new StripeFailure(401, {
      type: 'invalid_request_error',
      message: 'Invalid API Key provided: sk_test_****',
    });
  const version = request.headers['stripe-version'];
  if (version !== undefined && version !== API_VERSION)
    throw createInvalidRequestError(
      `The sandbox supports only version ${API_VERSION} of Stripe’s API, not ${String(version).slice(0, 40)}.`,
    );
}

function throwInjectedFault(fault: InjectedFault | null): void {
  if (fault?.kind === 'error') throw UNKNOWN_ERROR;
  if (fault?.kind === 'busy')
    throw new StripeFailure(
      429,
      { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' },
      { 'Retry-After': String(fault.retryAfter) },
    );
}

const UNKNOWN_ERROR = new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred.' });

function formatFailureBody({ body }: StripeFailure): string {
  return JSON.stringify({ error: body }, null, 2);
}
