import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account, AfterRetries } from './account.ts';
import { BEHAVIORS, type CardBehavior, changeCard } from './cards.ts';
import { payCheckout } from './checkout.ts';
import { collect } from './collection.ts';
import type { Deliveries } from './delivery.ts';
import { FAULT_KINDS, type Fault, type Faults } from './faults.ts';
import { ledgerOf } from './ledger.ts';
import { readBody, sendJson } from './read-request.ts';
import { closeDispute, openDispute } from './refunds.ts';
import { invalid, StripeFailure } from './stripe-error.ts';
import { moveClock } from './time.ts';

/** What tests can ask of the sandbox and nobody can of Stripe. */
export interface ControlSettings {
  account: Account;
  secretKey: string;
  faults: Faults;
  deliveries: Deliveries;
}

type Body = Record<string, unknown>;
type Command = (settings: ControlSettings, body: Body) => unknown;

/** Each is `POST /sandbox/<name>` with JSON, and the secret key as bearer. */
const COMMANDS: Readonly<Record<string, Command>> = {
  clock: ({ account }, body) => {
    moveClock(account, numberIn(body, 'seconds'));
    return { now: account.now() };
  },
  'after-retries': ({ account }, body) => {
    account.afterRetries = wordIn<AfterRetries>(body, 'state', ['cancel', 'unpaid', 'past_due']);
    return {};
  },
  card: ({ account }, body) => {
    const customer = account.need('customer', textIn(body, 'customer'));
    return changeCard(account, customer, wordIn<CardBehavior>(body, 'card', BEHAVIORS));
  },
  checkout: ({ account }, body) => {
    const session = account.need('checkout.session', textIn(body, 'session'));
    const confirmed = typeof body.confirmed === 'boolean' ? body.confirmed : undefined;
    const outcome = payCheckout(account, session, wordIn<CardBehavior>(body, 'card', BEHAVIORS), confirmed);
    return { outcome, session };
  },
  confirm: ({ account }, body) => {
    const invoice = account.need('invoice', textIn(body, 'invoice'));
    if (invoice.status !== 'open') throw invalid(`The invoice is ${invoice.status}.`);
    return { outcome: collect(account, invoice, { automatic: false, confirmed: body.confirmed !== false }) };
  },
  dispute: ({ account }, body) => openDispute(account, account.need('charge', textIn(body, 'charge'))),
  'close-dispute': ({ account }, body) => {
    const dispute = account.need('dispute', textIn(body, 'dispute'));
    return closeDispute(account, dispute, wordIn(body, 'status', ['won', 'lost']));
  },
  fault: ({ faults }, body) => {
    faults.add({
      kind: wordIn<Fault['kind']>(body, 'kind', FAULT_KINDS),
      path: typeof body.path === 'string' ? body.path : '/v1/',
      method: typeof body.method === 'string' ? body.method : null,
      count: typeof body.count === 'number' ? body.count : 1,
      ms: typeof body.ms === 'number' ? body.ms : 0,
      retryAfter: typeof body.retryAfter === 'number' ? body.retryAfter : 1,
    });
    return {};
  },
  'no-faults': ({ faults }) => {
    faults.clear();
    return {};
  },
  webhook: ({ deliveries }, body) => {
    deliveries.direct(typeof body.url === 'string' ? body.url : null);
    return {};
  },
  hold: ({ deliveries }, body) => {
    deliveries.holds = body.hold !== false;
    return {};
  },
  send: ({ deliveries }, body) => {
    deliveries.send(textsIn(body, 'events'));
    return {};
  },
  drop: ({ deliveries }, body) => {
    for (const id of textsIn(body, 'events')) deliveries.drop(id);
    return {};
  },
  deliveries: ({ deliveries }) => ({ deliveries: deliveries.all() }),
  signed: ({ account, deliveries }, body) => {
    const id = textIn(body, 'event');
    const at = typeof body.at === 'number' ? body.at : Math.floor(Date.now() / 1000);
    return deliveries.signed(account.need('event', id).id, at);
  },
  ledger: ({ account }) => ledgerOf(account),
};

/** Answers a request of a test. */
export async function handleControl(
  settings: ControlSettings,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const text = await readBody(request);
    if (request.headers.authorization !== `Bearer ${settings.secretKey}`)
      throw new StripeFailure(401, { type: 'invalid_request_error', message: 'The secret key is missing.' });
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command || request.method !== 'POST')
      throw new StripeFailure(404, { type: 'invalid_request_error', message: 'There is no such command.' });
    sendJson(response, 200, JSON.stringify(command(settings, bodyOf(text))));
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    sendJson(response, error.status, JSON.stringify({ error: error.body }));
  }
}

function bodyOf(text: string): Body {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return { ...body };
  } catch {
    // Told below.
  }
  throw invalid('The body is no JSON object.');
}

function textIn(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw invalid(`${name} is missing.`, name);
  return value;
}

function textsIn(body: Body, name: string): string[] {
  const value = body[name];
  if (!Array.isArray(value)) throw invalid(`${name} is missing.`, name);
  return value.map(String);
}

function numberIn(body: Body, name: string): number {
  const value = body[name];
  if (typeof value !== 'number') throw invalid(`${name} is missing.`, name);
  return value;
}

function wordIn<T extends string>(body: Body, name: string, words: readonly T[]): T {
  const word = words.find((one) => one === body[name]);
  if (!word) throw invalid(`${name} is one of ${words.join(', ')}.`, name);
  return word;
}
