import type { ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { CARD_BEHAVIORS, replaceDefaultCard } from './cards.ts';
import { advanceClock } from './clock.ts';
import { DAY_SECONDS } from './due-time.ts';
import { type Html, html } from './html.ts';
import { renderButton, sendPage } from './page.ts';
import { renderCardForm, renderInvoiceTable, renderSubscriptionText } from './portal-page.ts';
import type { Customer } from './sales-objects.ts';
import { createInvalidRequestError, createNotFoundError } from './stripe-error.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';

const MAX_TABLE_ROWS = 30;
const CLOCK_STEP_DAYS = [1, 3, 7, 31, 366];

interface HomePageSettings {
  account: Account;
  deliveries: WebhookDeliveries;
}

export function sendHomePage(
  { account, deliveries }: HomePageSettings,
  response: ServerResponse,
  id: string,
): void {
  if (id !== '') throw createNotFoundError('page', id);
  const customers = account.list('customer').filter((customer) => !customer.deleted);
  const body = html`<h2>Clock</h2>
<p>It is ${new Date(account.getNow() * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC here. Move it on, and what is due meanwhile happens.</p>
<form method="post" action="/"><input type="hidden" name="do" value="clock">
${CLOCK_STEP_DAYS.map((days) => html`<button name="days" value="${days}">${days} ${days === 1 ? 'day' : 'days'}</button>`)}</form>
<h2>Customers</h2>
${customers.length === 0 && html`<p>Nobody has bought anything yet.</p>`}
${customers
  .slice(-MAX_TABLE_ROWS)
  .toReversed()
  .map((customer) => renderCustomer(account, customer))}
<h2>Webhook events</h2>
<table><tr><th>Event</th><th>State</th><th>Tries</th><td></td></tr>
${deliveries.listDeliveries().slice(-MAX_TABLE_ROWS).toReversed().map(renderDeliveryRow)}</table>`;
  sendPage(response, { title: 'Payment sandbox', body });
}

export function handleHomePost({ account, deliveries }: HomePageSettings, form: URLSearchParams): string {
  const action = form.get('do');
  const behavior = CARD_BEHAVIORS.find((one) => one === form.get('card'));
  if (action === 'clock') advanceClock(account, Number(form.get('days')) * DAY_SECONDS);
  else if (action === 'send') deliveries.send([form.get('event') ?? '']);
  else if (action === 'card' && behavior)
    replaceDefaultCard(account, account.require('customer', form.get('customer') ?? ''), behavior);
  else throw createInvalidRequestError('Unknown button.');
  return '/';
}

function renderCustomer(account: Account, customer: Customer): Html {
  const theirs = account.list('subscription').filter((one) => one.customer === customer.id);
  const hidden = html`<input type="hidden" name="customer" value="${customer.id}">`;
  return html`<h3>${customer.email ?? customer.id}</h3>
<ul>${theirs.map((one) => html`<li>${renderSubscriptionText(account, one)}</li>`)}</ul>
${renderCardForm(account, customer, '/', hidden)}
${renderInvoiceTable(account, customer)}`;
}

function renderDeliveryRow({
  event,
  type,
  state,
  attempts,
  lastResult,
}: ReturnType<WebhookDeliveries['listDeliveries']>[number]): Html {
  const again = state !== 'delivered' && renderButton('/', 'Send now', { do: 'send', event });
  return html`<tr><td>${type}</td><td>${state}${lastResult && ` (${lastResult})`}</td><td>${attempts}</td><td>${again}</td></tr>`;
}
