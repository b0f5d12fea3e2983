import type { ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { CARD_BEHAVIORS, findPayingCard, replaceDefaultCard, TEST_CARDS } from './cards.ts';
import { getCurrentPeriod } from './due-time.ts';
import { type Html, html } from './html.ts';
import { formatAmount, formatDate } from './money.ts';
import { renderButton, sendPage } from './page.ts';
import type { Customer, Subscription } from './sales-objects.ts';
import { createInvalidRequestError } from './stripe-error.ts';
import { updateSubscription } from './update-subscription.ts';

interface PortalPageSettings {
  account: Account;
}

export function sendPortalPage({ account }: PortalPageSettings, response: ServerResponse, id: string): void {
  const session = account.require('billing_portal.session', id);
  const customer = account.require('customer', session.customer);
  const path = `/portal/${id}`;
  const theirs = account.list('subscription').filter((one) => one.customer === customer.id);
  const body = html`<p>${customer.email ?? customer.id}</p>
<h2>Subscriptions</h2>
<table>${theirs.map((one) => renderSubscriptionRow(account, one, path))}</table>
<h2>Card</h2>
${renderCardForm(account, customer, path)}
<h2>Invoices</h2>
${renderInvoiceTable(account, customer)}
${session.return_url && html`<p><a href="${session.return_url}">Go back</a></p>`}`;
  sendPage(response, { title: 'Your subscriptions', body });
}

export function handlePortalPost({ account }: PortalPageSettings, form: URLSearchParams, id: string): string {
  const session = account.require('billing_portal.session', id);
  const customer = account.require('customer', session.customer);
  const subscription = account.find('subscription', form.get('subscription') ?? '');
  const action = form.get('do');
  const behavior = CARD_BEHAVIORS.find((one) => one === form.get('card'));
  if (action === 'card' && behavior) replaceDefaultCard(account, customer, behavior);
  else if ((action === 'end' || action === 'keep') && subscription?.customer === customer.id)
    updateSubscription(account, subscription.id, { cancel_at_period_end: String(action === 'end') });
  else throw createInvalidRequestError('Unknown button.');
  return `/portal/${id}`;
}

export function renderCardForm(
  account: Account,
  customer: Customer,
  path: string,
  fields: Html | null = null,
): Html {
  const subscription = account.list('subscription').findLast((one) => one.customer === customer.id);
  const now = findPayingCard(account, customer, subscription)?.behavior;
  const options = CARD_BEHAVIORS.map(
    (one) =>
      html`<option value="${one}"${one === now && { markup: ' selected' }}>${TEST_CARDS[one].label} (…${TEST_CARDS[one].last4})</option>`,
  );
  return html`<form method="post" action="${path}"><input type="hidden" name="do" value="card">${fields}
<label>${now ? 'Card:' : 'Card (none so far):'} <select name="card">${options}</select></label><button>Use this card</button></form>`;
}

export function renderInvoiceTable(account: Account, customer: Customer): Html {
  const rows = account
    .list('invoice')
    .filter((invoice) => invoice.customer === customer.id)
    .toReversed()
    .map(
      (invoice) =>
        html`<tr><td><a href="/invoices/${invoice.id}">${invoice.number ?? '(draft)'}</a></td><td>${formatDate(invoice.created)}</td>
<td>${formatAmount(invoice.total, invoice.currency)}</td><td>${invoice.status}</td></tr>`,
    );
  return html`<table>${rows}</table>`;
}

export function renderSubscriptionText(account: Account, subscription: Subscription): string {
  const names = subscription.items.data.map(
    ({ price, quantity }) => `${quantity} × ${account.find('product', price.product)?.name ?? price.product}`,
  );
  const { end } = getCurrentPeriod(subscription);
  const until = subscription.ended_at === null ? `, until ${formatDate(end)}` : '';
  const ends = subscription.cancel_at_period_end ? ', ends then' : '';
  return `${names.join(', ')}: ${subscription.status}${until}${ends}`;
}

function renderSubscriptionRow(account: Account, subscription: Subscription, path: string): Html {
  const { id, cancel_at_period_end: ends, ended_at } = subscription;
  const label = ends ? 'Keep it' : 'End it with the period';
  const fields = { do: ends ? 'keep' : 'end', subscription: id };
  return html`<tr><td>${renderSubscriptionText(account, subscription)}</td><td>${ended_at === null && renderButton(path, label, fields)}</td></tr>`;
}
