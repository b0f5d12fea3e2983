import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProcessLog } from '../../shared/process-log.ts';
import { Account } from './account.ts';
import { handleApi } from './api.ts';
import { handleControl } from './control.ts';
import { Deliveries } from './delivery.ts';
import { Faults } from './faults.ts';
import { IdempotentAnswers } from './idempotency.ts';
import { INVOICE_ROUTES } from './invoice-routes.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { handlePage } from './pages.ts';
import { SALES_ROUTES } from './sales-routes.ts';
import { StateFile } from './state-file.ts';
import { SUBSCRIPTION_ROUTES } from './subscription-routes.ts';
import { catchUp } from './time.ts';

/** Milliseconds between two looks at what has become due while nobody asked. */
const LOOK_EVERY = 20_000;

/** Puts a sandbox together, as it was left. */
export async function createPaymentSandbox(options: {
  base: string;
  secretKey: string;
  webhookSecret: string;
  webhookUrl: string | null;
  dataDir: string | null;
  log: ProcessLog;
  realNow: () => number;
}) {
  const { base, secretKey, log } = options;
  const account = new Account(base, options.realNow);
  const answers = new IdempotentAnswers();
  const deliveries = new Deliveries({
    ...{ url: options.webhookUrl, secret: options.webhookSecret, log },
    find: (id) => account.find('event', id),
  });
  const file = new StateFile(options.dataDir, log, () => ({
    ...{
      base,
      account: account.toStored(),
      answers: answers.toStored(),
      unfinished: deliveries.unfinished(),
    },
  }));
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
