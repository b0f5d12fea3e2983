import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { checkoutPage, postCheckout } from './checkout-page.ts';
import type { Deliveries } from './delivery.ts';
import { homePage, postHome } from './home-page.ts';
import { html } from './html.ts';
import { invoicePage, postInvoice } from './invoice-page.ts';
import { goTo, sendPage } from './page.ts';
import { portalPage, postPortal } from './portal-page.ts';
import { readBody } from './read-request.ts';
import { StripeFailure } from './stripe-error.ts';
import { catchUp } from './time.ts';

/** What the pages show. */
export interface PageSettings {
  account: Account;
  deliveries: Deliveries;
}

interface Page {
  get(settings: PageSettings, response: ServerResponse, id: string, query: URLSearchParams): void;
  /** Where to go then. */
  post(settings: PageSettings, form: URLSearchParams, id: string): string;
}

const PAGES: Readonly<Record<string, Page>> = {
  '': { get: homePage, post: postHome },
  checkout: { get: checkoutPage, post: postCheckout },
  invoices: { get: invoicePage, post: postInvoice },
  portal: { get: portalPage, post: postPortal },
};

/** Answers a browser. A form counts only where it was sent from a page of the sandbox. */
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
    catchUp(account);
    if (page && (request.method === 'GET' || request.method === 'HEAD'))
      page.get(settings, response, id, url.searchParams);
    else if (page && request.method === 'POST') {
      if (request.headers.origin !== account.base) throw new StripeFailure(403, FOREIGN);
      goTo(response, page.post(settings, new URLSearchParams(body), id));
    } else throw new StripeFailure(404, { type: 'invalid_request_error', message: 'There is no such page.' });
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    sendPage(response, {
      title: 'This did not work',
      body: html`<p>${error.message}</p>`,
      status: error.status,
    });
  }
}

const FOREIGN = { type: 'invalid_request_error', message: 'A form of another site is not taken.' };
