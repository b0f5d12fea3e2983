import type { IncomingMessage, ServerResponse } from 'node:http';
import { Account } from './account.ts';
import { handleApi } from './api.ts';
import { processDueObjects } from './clock.ts';
import { handleControl } from './control.ts';
import { DAY_SECONDS } from './due-time.ts';
import { FaultQueue } from './faults.ts';
import { IdempotentAnswers } from './idempotency.ts';
import { INVOICE_ROUTES } from './invoice-routes.ts';
import type { Log } from './log.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { handlePage } from './pages.ts';
import { SALES_ROUTES } from './sales-routes.ts';
import { StateFile } from './state-file.ts';
import type { EmulatorStore } from './store.ts';
import { SUBSCRIPTION_ROUTES } from './subscription-routes.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';

const DUE_CHECK_INTERVAL_MS = 20_000;

/** Lifetime of a delivered event, as at Stripe. */
const MAX_STORED_EVENTS = 30 * DAY_SECONDS;

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
  const deliveries = new WebhookDeliveries({
    url: options.webhookUrl,
    secret: options.webhookSecret,
    log,
    find: (id) => account.find('event', id),
  });
  const file = new StateFile(options.store, log, () => {
    const unfinished = deliveries.listUnfinishedIds();
    deleteOldEvents(account, unfinished);
    return { base, account: account.toStored(), answers: answers.toStored(), unfinished };
  });
  const stored = await file.read(base);
  if (stored) {
    account.restore(stored.account);
    answers.restore(stored.answers);
    deliveries.send(stored.unfinished);
  }
  account.onEvent = (event) => deliveries.add(event);
  account.onChange = () => file.scheduleWrite();
  const faults = new FaultQueue();
  const routes = [...SALES_ROUTES, ...SUBSCRIPTION_ROUTES, ...INVOICE_ROUTES, ...MONEY_ROUTES];
  const api = { account, secretKey, routes, faults, answers };
  const control = { account, secretKey, faults, deliveries };
  const timer = setInterval(() => processDueObjects(account), DUE_CHECK_INTERVAL_MS).unref();
  processDueObjects(account);

  return {
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = request.url?.split('?')[0] ?? '';
      if (path.startsWith('/v1/')) await handleApi(api, request, response);
      else if (path.startsWith('/sandbox/'))
        await handleControl(control, path.slice('/sandbox/'.length), request, response);
      else await handlePage({ account, deliveries }, request, response);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      deliveries.close();
      await file.flush();
    },
  };
}

function deleteOldEvents(account: Account, unfinished: readonly string[]): void {
  const waiting = new Set(unfinished);
  const oldest = account.getNow() - MAX_STORED_EVENTS;
  for (const { id, created } of account.list('event'))
    if (created < oldest && !waiting.has(id)) account.delete('event', id);
}
