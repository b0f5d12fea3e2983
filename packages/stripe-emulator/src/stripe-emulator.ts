import type { IncomingMessage, ServerResponse } from 'node:http';
import { Account } from './account.ts';
import { handleApi } from './api.ts';
import { handleControl } from './control.ts';
import { Deliveries } from './delivery.ts';
import { DAY } from './due.ts';
import { Faults } from './faults.ts';
import { IdempotentAnswers } from './idempotency.ts';
import { INVOICE_ROUTES } from './invoice-routes.ts';
import type { Log } from './log.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { handlePage } from './pages.ts';
import { SALES_ROUTES } from './sales-routes.ts';
import { StateFile } from './state-file.ts';
import type { EmulatorStore } from './store.ts';
import { SUBSCRIPTION_ROUTES } from './subscription-routes.ts';
import { catchUp } from './time.ts';

/** Milliseconds between two looks at what has become due while nobody asked. */
const LOOK_EVERY = 20_000;

/** Seconds for which an event can be asked for once it was delivered, as at Stripe. */
const EVENTS_KEPT = 30 * DAY;

/** Create an emulator in the state in which it was left. */
export async function createStripeEmulator(options: {
  base: string;
  secretKey: string;
  webhookSecret: string;
  webhookUrl: string | null;
  store: EmulatorStore | null;
  log: Log;
  realNow: () => number;
}) {
  const { base, secretKey, log } = options;
  const account = new Account(base, options.realNow);
  const answers = new IdempotentAnswers();
  const deliveries = new Deliveries({
    ...{ url: options.webhookUrl, secret: options.webhookSecret, log },
    find: (id) => account.find('event', id),
  });
  const file = new StateFile(options.store, log, () => {
    const unfinished = deliveries.unfinished();
    forgetEvents(account, unfinished);
    return { base, account: account.toStored(), answers: answers.toStored(), unfinished };
  });
  const stored = await file.read(base);
  if (stored) {
    account.restore(stored.account);
    answers.restore(stored.answers);
    deliveries.send(stored.unfinished);
  }
  account.onEvent = (event) => deliveries.add(event);
  account.onChange = () => file.changed();
  const faults = new Faults();
  const routes = [...SALES_ROUTES, ...SUBSCRIPTION_ROUTES, ...INVOICE_ROUTES, ...MONEY_ROUTES];
  const api = { account, secretKey, routes, faults, answers };
  const control = { account, secretKey, faults, deliveries };
  const look = setInterval(() => catchUp(account), LOOK_EVERY).unref();
  catchUp(account);

  return {
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = request.url?.split('?')[0] ?? '';
      if (path.startsWith('/v1/')) await handleApi(api, request, response);
      else if (path.startsWith('/sandbox/'))
        await handleControl(control, path.slice('/sandbox/'.length), request, response);
      else await handlePage({ account, deliveries }, request, response);
    },
    async close(): Promise<void> {
      clearInterval(look);
      deliveries.close();
      await file.flush();
    },
  };
}

function forgetEvents(account: Account, unfinished: readonly string[]): void {
  const waiting = new Set(unfinished);
  const oldest = account.now() - EVENTS_KEPT;
  for (const { id, created } of account.all('event'))
    if (created < oldest && !waiting.has(id)) account.forget('event', id);
}
