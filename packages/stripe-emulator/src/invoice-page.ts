import type { ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { CARDS, cardOf, createCard } from './cards.ts';
import { collect } from './collection.ts';
import { type Html, html } from './html.ts';
import { amountText, dateText } from './money.ts';
import type { Charge, Invoice } from './objects.ts';
import { button, sendPage } from './page.ts';
import { paymentOf } from './payments.ts';
import { createRefund, openDispute } from './refunds.ts';
import { invalid } from './stripe-error.ts';

interface Settings {
  account: Account;
}

/** An invoice, to be read and paid. */
export function invoicePage(
  { account }: Settings,
  response: ServerResponse,
  id: string,
  query: URLSearchParams,
): void {
  const invoice = account.need('invoice', id);
  const money = (amount: number) => amountText(amount, invoice.currency);
  const rows = invoice.lines.data.map(
    (line) =>
      html`<tr><td>${line.description}<br>${dateText(line.period.start)} – ${dateText(line.period.end)}</td><td>${money(line.amount)}</td></tr>`,
  );
  const balance = invoice.total - invoice.amount_due;
  const charge = chargeOf(account, invoice);
  const given = charge?.amount_refunded ?? 0;
  const body = html`<p>${invoice.status}, ${dateText(invoice.created)}</p>
<table>${rows}
<tr><th>Total</th><td>${money(invoice.total)}</td></tr>
${balance !== 0 && html`<tr><td>Balance</td><td>${money(-balance)}</td></tr>`}
<tr><th>To be paid</th><td>${money(invoice.amount_remaining)}</td></tr>
${given > 0 && html`<tr><td>Given back</td><td>${money(given)}</td></tr>`}</table>
${charge?.disputed && html`<p class="told">The bank disputes the payment.</p>`}
${query.get('told') === 'declined' && html`<p class="told">The card was declined. Nothing was paid.</p>`}
${query.get('told') === 'confirm' && html`<p class="told">The bank asks for a confirmation.</p>`}
${actions(account, invoice)}`;
  sendPage(response, { title: `Invoice ${invoice.number ?? '(draft)'}`, body });
}

/** Takes a button of the page. */
export function postInvoice({ account }: Settings, form: URLSearchParams, id: string): string {
  const invoice = account.need('invoice', id);
  const path = `/invoices/${id}`;
  const wanted = form.get('do');
  const charge = chargeOf(account, invoice);
  if (wanted === 'refund' && charge) {
    createRefund(account, { charge: charge.id });
    return path;
  }
  if (wanted === 'dispute' && charge) {
    openDispute(account, charge);
    return path;
  }
  if (invoice.status !== 'open') return path;
  const customer = account.need('customer', invoice.customer);
  if (wanted === 'pay')
    collect(account, invoice, { automatic: false, card: createCard(account, 'pays', customer) });
  else if (wanted === 'confirm')
    return told(path, collect(account, invoice, { automatic: false, confirmed: true }));
  else if (wanted === 'refuse')
    return told(path, collect(account, invoice, { automatic: false, confirmed: false }));
  else throw invalid('There is no such button.');
  return path;
}

function actions(account: Account, invoice: Invoice): Html[] {
  const path = `/invoices/${invoice.id}`;
  const charge = chargeOf(account, invoice);
  if (invoice.status === 'paid' && charge?.paid && !charge.disputed && !charge.refunded)
    return [
      button(path, 'As the seller: give the money back', { do: 'refund' }),
      button(path, 'As the bank: dispute the payment', { do: 'dispute' }),
    ];
  if (invoice.status !== 'open') return [];
  const customer = account.need('customer', invoice.customer);
  const subscription = account.find('subscription', invoice.parent.subscription_details.subscription);
  const card = cardOf(account, customer, subscription);
  const pay = button(path, `Pay with ${CARDS.pays.label}`, { do: 'pay' });
  if (card?.behavior !== 'confirms') return [pay];
  return [
    button(path, 'Confirm the payment', { do: 'confirm' }),
    button(path, 'Refuse it', { do: 'refuse' }),
    pay,
  ];
}

function chargeOf(account: Account, invoice: Invoice): Charge | undefined {
  const id = paymentOf(account, invoice)?.intent.latest_charge;
  return id ? account.find('charge', id) : undefined;
}

function told(path: string, outcome: string): string {
  if (outcome === 'paid') return path;
  return `${path}?told=${outcome === 'action' ? 'confirm' : 'declined'}`;
}
