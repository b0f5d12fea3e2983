import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account, UnpaidSubscriptionAction } from './account.ts';
import { CARD_BEHAVIORS, type CardBehavior, replaceDefaultCard } from './cards.ts';
import { payCheckout } from './checkout.ts';
import { advanceClock } from './clock.ts';
import { collectPayment } from './collect-payment.ts';
import { FAULT_KINDS, type FaultQueue, type InjectedFault } from './faults.ts';
import { createLedger } from './ledger.ts';
import { readBody, sendJson } from './read-request.ts';
import { closeDispute, openDispute } from './refunds.ts';
import { createInvalidRequestError, StripeFailure } from './stripe-error.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';

/** Controls of tests that Stripe does not have. */
export interface ControlSettings {
  account: Account;
  secretKey: string;
  faults: FaultQueue;
  deliveries: WebhookDeliveries;
}

type ControlBody = Record<string, unknown>;
type ControlCommand = (settings: ControlSettings, body: ControlBody) => unknown;

/** Each is `POST /sandbox/<name>` with JSON and the secret key as bearer token. */
const CONTROL_COMMANDS: Readonly<Record<string, ControlCommand>> = {
  clock: ({ account }, body) => {
    advanceClock(account, requireNumber(body, 'seconds'));
    return { now: account.getNow() };
  },
  'after-retries': ({ account }, body) => {
    account.unpaidSubscriptionAction = requireEnumValue<UnpaidSubscriptionAction>(body, 'state', [
      'cancel',
      'unpaid',
      'past_due',
    ]);
    return {};
  },
  card: ({ account }, body) => {
    const customer = account.require('customer', requireString(body, 'customer'));
    return replaceDefaultCard(
      account,
      customer,
      requireEnumValue<CardBehavior>(body, 'card', CARD_BEHAVIORS),
    );
  },
  checkout: ({ account }, body) => {
    const session = account.require('checkout.session', requireString(body, 'session'));
    const confirmed = typeof body.confirmed === 'boolean' ? body.confirmed : undefined;
    const outcome = payCheckout(
      account,
      session,
      requireEnumValue<CardBehavior>(body, 'card', CARD_BEHAVIORS),
      confirmed,
    );
    return { outcome, session };
  },
  confirm: ({ account }, body) => {
    const invoice = account.require('invoice', requireString(body, 'invoice'));
    if (invoice.status !== 'open') throw createInvalidRequestError(`The invoice is ${invoice.status}.`);
    return {
      outcome: collectPayment(account, invoice, {
        isAutomatic: false,
        isConfirmed: body.confirmed !== false,
      }),
    };
  },
  dispute: ({ account }, body) =>
    openDispute(account, account.require('charge', requireString(body, 'charge'))),
  'close-dispute': ({ account }, body) => {
    const dispute = account.require('dispute', requireString(body, 'dispute'));
    return closeDispute(account, dispute, requireEnumValue(body, 'status', ['won', 'lost']));
  },
  fault: ({ faults }, body) => {
    faults.add({
      kind: requireEnumValue<InjectedFault['kind']>(body, 'kind', FAULT_KINDS),
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
  pause: ({ deliveries }, body) => {
    deliveries.isPaused = body.paused !== false;
    return {};
  },
  send: ({ deliveries }, body) => {
    deliveries.send(requireStrings(body, 'events'));
    return {};
  },
  drop: ({ deliveries }, body) => {
    for (const id of requireStrings(body, 'events')) deliveries.discard(id);
    return {};
  },
  deliveries: ({ deliveries }) => ({ deliveries: deliveries.listDeliveries() }),
  signed: ({ account, deliveries }, body) => {
    const id = requireString(body, 'event');
    const at = typeof body.at === 'number' ? body.at : Math.floor(Date.now() / 1000);
    return deliveries.createSignedEvent(account.require('event', id).id, at);
  },
  ledger: ({ account }) => createLedger(account),
};

export async function handleControl(
  settings: ControlSettings,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const text = await readBody(request);
    if (request.headers.authorization !== `Bearer ${settings.secretKey}`)
      throw new StripeFailure(401, { type: 'invalid_request_error', message: 'Missing secret key.' });
    const command = Object.hasOwn(CONTROL_COMMANDS, name) ? CONTROL_COMMANDS[name] : undefined;
    if (!command || request.method !== 'POST')
      throw new StripeFailure(404, { type: 'invalid_request_error', message: 'Unknown command.' });
    sendJson(response, 200, JSON.stringify(command(settings, parseBody(text))));
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    sendJson(response, error.status, JSON.stringify({ error: error.body }));
  }
}

function parseBody(text: string): ControlBody {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return { ...body };
  } catch {
    // Handled below.
  }
  throw createInvalidRequestError('The body must be a JSON object.');
}

function requireString(body: ControlBody, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw createInvalidRequestError(`${name} is missing.`, name);
  return value;
}

function requireStrings(body: ControlBody, name: string): string[] {
  const value = body[name];
  if (!Array.isArray(value)) throw createInvalidRequestError(`${name} is missing.`, name);
  return value.map(String);
}

function requireNumber(body: ControlBody, name: string): number {
  const value = body[name];
  if (typeof value !== 'number') throw createInvalidRequestError(`${name} is missing.`, name);
  return value;
}

function requireEnumValue<T extends string>(body: ControlBody, name: string, words: readonly T[]): T {
  const word = words.find((one) => one === body[name]);
  if (!word) throw createInvalidRequestError(`${name} must be one of ${words.join(', ')}.`, name);
  return word;
}
