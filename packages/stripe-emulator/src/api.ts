import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Account, API_VERSION } from './account.ts';
import type { ApiRoute } from './api-routes.ts';
import { answerOf } from './expand.ts';
import type { Fault, Faults } from './faults.ts';
import { decodeForm } from './form.ts';
import type { Answer, IdempotentAnswers } from './idempotency.ts';
import { newId } from './ids.ts';
import { refuseUnknown, textsOf } from './params.ts';
import { readBody, sendJson } from './read-request.ts';
import { invalid, StripeFailure } from './stripe-error.ts';
import { catchUp } from './time.ts';

/** What the API works with. */
export interface ApiSettings {
  account: Account;
  secretKey: string;
  routes: readonly ApiRoute[];
  faults: Faults;
  answers: IdempotentAnswers;
}

/** Answers a request of Stripe's API. */
export async function handleApi(
  settings: ApiSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = newId('req', 14);
  const headers: Record<string, string> = { 'Request-Id': id, 'Stripe-Version': API_VERSION };
  try {
    const body = await readBody(request);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const fault = settings.faults.take(request.method ?? '', path);
    if (fault?.kind === 'away') return void response.destroy();
    checkCaller(settings, request);
    refuseByFault(fault);
    const answer = await once(
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
    sendJson(response, error.status, failureBody(error), { ...headers, ...error.headers });
  }
}

interface Asked {
  id: string;
  path: string;
  text: string;
}

/** Does a request, or finds the answer that one with the same key has got. */
async function once(
  settings: ApiSettings,
  request: IncomingMessage,
  asked: Asked,
  fault: Fault | null,
  headers: Record<string, string>,
): Promise<Answer> {
  const key = request.method === 'POST' ? (request.headers['idempotency-key']?.toString() ?? null) : null;
  if (key) {
    headers['Idempotency-Key'] = key;
    const now = settings.account.realSeconds();
    const known = settings.answers.begin(key, `${request.method} ${asked.path} ${asked.text}`, now);
    if (known) {
      headers['Idempotent-Replayed'] = 'true';
      return known;
    }
  }
  try {
    if (fault?.kind === 'slow') await wait(fault.ms, undefined, { ref: false });
    const done = perform(settings, request.method ?? '', asked, key);
    const answer = fault?.kind === 'halfway' ? { status: 500, body: failureBody(UNKNOWN) } : done;
    if (key) settings.answers.finish(key, answer);
    return answer;
  } finally {
    if (key) settings.answers.abandon(key);
  }
}

/** One request, whole: nothing waits in it, so that requests never mix. */
function perform(settings: ApiSettings, method: string, asked: Asked, key: string | null): Answer {
  const { account } = settings;
  catchUp(account);
  account.request = { id: asked.id, idempotency_key: key };
  try {
    const { route, id } = findRoute(settings.routes, method, asked.path);
    const form = decodeForm(asked.text);
    refuseUnknown(form, route.params);
    const result = route.handle({ account, form, id });
    const answer = answerOf(account, result, textsOf(form, 'expand'));
    return { status: 200, body: JSON.stringify(answer, null, 2) };
  } catch (error) {
    // A card that was declined is an answer that is kept; what is wrong with a request is not.
    if (error instanceof StripeFailure && error.status === 402)
      return { status: 402, body: failureBody(error) };
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
    const wanted = route.path.split('/');
    if (route.method !== method || wanted.length !== parts.length) continue;
    const fits = wanted.every((part, index) => part === parts[index] || (part === ':id' && parts[index]));
    if (fits) return { route, id: decodeURIComponent(parts[wanted.indexOf(':id')] ?? '') };
  }
  throw new StripeFailure(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path.slice(0, 100)}). The sandbox knows only a part of Stripe’s API.`,
  });
}

function checkCaller({ secretKey }: ApiSettings, request: IncomingMessage): void {
  if (request.headers.authorization !== `Bearer ${secretKey}`)
    throw new StripeFailure(401, {
      type: 'invalid_request_error',
      message: 'Invalid API Key provided: sk_test_****',
    });
  const version = request.headers['stripe-version'];
  if (version !== undefined && version !== API_VERSION)
    throw invalid(
      `The sandbox speaks version ${API_VERSION} of Stripe’s API alone, not ${String(version).slice(0, 40)}.`,
    );
}

function refuseByFault(fault: Fault | null): void {
  if (fault?.kind === 'error') throw UNKNOWN;
  if (fault?.kind === 'busy')
    throw new StripeFailure(
      429,
      { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' },
      { 'Retry-After': String(fault.retryAfter) },
    );
}

const UNKNOWN = new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred.' });

function failureBody({ body }: StripeFailure): string {
  return JSON.stringify({ error: body }, null, 2);
}
