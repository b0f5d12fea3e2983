import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { handleCheckoutPost, sendCheckoutPage } from './checkout-page.ts';
import { processDueObjects } from './clock.ts';
import { handleHomePost, sendHomePage } from './home-page.ts';
import { html } from './html.ts';
import { handleInvoicePost, sendInvoicePage } from './invoice-page.ts';
import { redirect, sendPage } from './page.ts';
import { handlePortalPost, sendPortalPage } from './portal-page.ts';
import { readBody } from './read-request.ts';
import { StripeFailure } from './stripe-error.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';

export interface PageSettings {
  account: Account;
  deliveries: WebhookDeliveries;
}

interface PageHandlers {
  get(settings: PageSettings, response: ServerResponse, id: string, query: URLSearchParams): void;
  /** Returns the URL to redirect to. */
  post(settings: PageSettings, form: URLSearchParams, id: string): string;
}

const PAGES: Readonly<Record<string, PageHandlers>> = {
  '': { get: sendHomePage, post: handleHomePost },
  checkout: { get: sendCheckoutPage, post: handleCheckoutPost },
  invoices: { get: sendInvoicePage, post: handleInvoicePost },
  portal: { get: sendPortalPage, post: handlePortalPost },
};

/** Handle a browser request. Forms of other origins are rejected. */
export async function handlePage(
  settings: PageSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { account } = settings;
  const url = new URL(request.url ?? '/', account.base);
  const [name = '', id = '', ...more] = url.pathname.slice(1).split('/');
  const page = Object.hasOwn(PAGES, name) && more.length === 0 ? PAGES[name] : undefined;
  try {
    const body = await readBody(request);
    processDueObjects(account);
    if (page && (request.method === 'GET' || request.method === 'HEAD'))
      page.get(settings, response, id, url.searchParams);
    else if (page && request.method === 'POST') {
      if (request.headers.origin !== account.base) throw new StripeFailure(403, CROSS_SITE_ERROR);
      redirect(response, page.post(settings, new URLSearchParams(body), id));
    } else throw new StripeFailure(404, { type: 'invalid_request_error', message: 'Page not found.' });
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    sendPage(response, {
      title: 'Something went wrong',
      body: html`<p>${error.message}</p>`,
      status: error.status,
    });
  }
}

const CROSS_SITE_ERROR = { type: 'invalid_request_error', message: 'Cross-site form rejected.' };
