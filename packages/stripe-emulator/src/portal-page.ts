import type { ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { BEHAVIORS, CARDS, cardOf, changeCard } from './cards.ts';
import { updateSubscription } from './changes.ts';
import { periodOf } from './due.ts';
import { type Html, html } from './html.ts';
import { amountText, dateText } from './money.ts';
import type { Customer, Subscription } from './objects.ts';
import { button, sendPage } from './page.ts';
import { invalid } from './stripe-error.ts';

interface Settings {
  account: Account;
}

/** What a customer sees: what they have, invoices, and the card that pays. */
export function portalPage({ account }: Settings, response: ServerResponse, id: string): void {
  const session = account.need('billing_portal.session', id);
  const customer = account.need('customer', session.customer);
  const path = `/portal/${id}`;
  const theirs = account.all('subscription').filter((one) => one.customer === customer.id);
  const body = html`<p>${customer.email ?? customer.id}</p>
<h2>Subscriptions</h2>
<table>${theirs.map((one) => subscriptionRow(account, one, path))}</table>
<h2>Card</h2>
${cardForm(account, customer, path)}
<h2>Invoices</h2>
${invoiceTable(account, customer)}
${session.return_url && html`<p><a href="${session.return_url}">Go back</a></p>`}`;
  sendPage(response, { title: 'Your subscriptions', body });
}

/** Takes a button of the page. */
export function postPortal({ account }: Settings, form: URLSearchParams, id: string): string {
  const session = account.need('billing_portal.session', id);
  const customer = account.need('customer', session.customer);
  const subscription = account.find('subscription', form.get('subscription') ?? '');
  const wanted = form.get('do');
  const behavior = BEHAVIORS.find((one) => one === form.get('card'));
  if (wanted === 'card' && behavior) changeCard(account, customer, behavior);
  else if ((wanted === 'end' || wanted === 'keep') && subscription?.customer === customer.id)
    updateSubscription(account, subscription.id, { cancel_at_period_end: String(wanted === 'end') });
  else throw invalid('There is no such button.');
  return `/portal/${id}`;
}

/** A form that gives a customer another card. */
export function cardForm(
  account: Account,
  customer: Customer,
  path: string,
  fields: Html | null = null,
): Html {
  const subscription = account.all('subscription').findLast((one) => one.customer === customer.id);
  const now = cardOf(account, customer, subscription)?.behavior;
  const options = BEHAVIORS.map(
    (one) =>
      html`<option value="${one}"${one === now && { markup: ' selected' }}>${CARDS[one].label} (…${CARDS[one].last4})</option>`,
  );
  return html`<form method="post" action="${path}"><input type="hidden" name="do" value="card">${fields}
<label>${now ? 'Card:' : 'Card (none so far):'} <select name="card">${options}</select></label><button>Use this card</button></form>`;
}

/** The invoices of a customer, newest first. */
export function invoiceTable(account: Account, customer: Customer): Html {
  const rows = account
    .all('invoice')
    .filter((invoice) => invoice.customer === customer.id)
    .toReversed()
    .map(
      (invoice) =>
        html`<tr><td><a href="/invoices/${invoice.id}">${invoice.number ?? '(draft)'}</a></td><td>${dateText(invoice.created)}</td>
<td>${amountText(invoice.total, invoice.currency)}</td><td>${invoice.status}</td></tr>`,
    );
  return html`<table>${rows}</table>`;
}

/** What a subscription is, in a few words. */
export function subscriptionText(account: Account, subscription: Subscription): string {
  const names = subscription.items.data.map(
    ({ price, quantity }) => `${quantity} × ${account.find('product', price.product)?.name ?? price.product}`,
  );
  const { end } = periodOf(subscription);
  const until = subscription.ended_at === null ? `, until ${dateText(end)}` : '';
  const ends = subscription.cancel_at_period_end ? ', ends then' : '';
  return `${names.join(', ')}: ${subscription.status}${until}${ends}`;
}

function subscriptionRow(account: Account, subscription: Subscription, path: string): Html {
  const { id, cancel_at_period_end: ends, ended_at } = subscription;
  const label = ends ? 'Keep it' : 'End it with the period';
  const fields = { do: ends ? 'keep' : 'end', subscription: id };
  return html`<tr><td>${subscriptionText(account, subscription)}</td><td>${ended_at === null && button(path, label, fields)}</td></tr>`;
}
