import type { ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { createCard, findPayingCard, TEST_CARDS } from './cards.ts';
import { collectPayment } from './collect-payment.ts';
import { type Html, html } from './html.ts';
import { formatAmount, formatDate } from './money.ts';
import { renderButton, sendPage } from './page.ts';
import { findInvoicePayment } from './payments.ts';
import { closeDispute, createRefund, openDispute } from './refunds.ts';
import type { Charge, Dispute, Invoice } from './sales-objects.ts';
import { createInvalidRequestError } from './stripe-error.ts';

interface InvoicePageSettings {
  account: Account;
}

export function sendInvoicePage(
  { account }: InvoicePageSettings,
  response: ServerResponse,
  id: string,
  query: URLSearchParams,
): void {
  const invoice = account.require('invoice', id);
  const money = (amount: number) => formatAmount(amount, invoice.currency);
  const rows = invoice.lines.data.map(
    (line) =>
      html`<tr><td>${line.description}<br>${formatDate(line.period.start)} – ${formatDate(line.period.end)}</td><td>${money(line.amount)}</td></tr>`,
  );
  const balance = invoice.total - invoice.amount_due;
  const charge = findInvoiceCharge(account, invoice);
  const refunded = charge?.amount_refunded ?? 0;
  const body = html`<p>${invoice.status}, ${formatDate(invoice.created)}</p>
<table>${rows}
<tr><th>Total</th><td>${money(invoice.total)}</td></tr>
${balance !== 0 && html`<tr><td>Balance</td><td>${money(-balance)}</td></tr>`}
<tr><th>To be paid</th><td>${money(invoice.amount_remaining)}</td></tr>
${refunded > 0 && html`<tr><td>Given back</td><td>${money(refunded)}</td></tr>`}</table>
${charge?.disputed && html`<p class="result">The bank disputes the payment.</p>`}
${query.get('result') === 'declined' && html`<p class="result">The card was declined. Nothing was paid.</p>`}
${query.get('result') === 'confirm' && html`<p class="result">The bank asks for a confirmation.</p>`}
${renderActions(account, invoice)}`;
  sendPage(response, { title: `Invoice ${invoice.number ?? '(draft)'}`, body });
}

export function handleInvoicePost(
  { account }: InvoicePageSettings,
  form: URLSearchParams,
  id: string,
): string {
  const invoice = account.require('invoice', id);
  const path = `/invoices/${id}`;
  const action = form.get('do');
  const charge = findInvoiceCharge(account, invoice);
  if (action === 'refund' && charge) {
    createRefund(account, { charge: charge.id });
    return path;
  }
  if (action === 'dispute' && charge) {
    openDispute(account, charge);
    return path;
  }
  const dispute = charge && findOpenDispute(account, charge);
  if ((action === 'win-dispute' || action === 'lose-dispute') && dispute) {
    closeDispute(account, dispute, action === 'win-dispute' ? 'won' : 'lost');
    return path;
  }
  if (invoice.status !== 'open') return path;
  const customer = account.require('customer', invoice.customer);
  if (action === 'pay')
    collectPayment(account, invoice, { isAutomatic: false, card: createCard(account, 'pays', customer) });
  else if (action === 'confirm')
    return toResultPath(path, collectPayment(account, invoice, { isAutomatic: false, isConfirmed: true }));
  else if (action === 'refuse')
    return toResultPath(path, collectPayment(account, invoice, { isAutomatic: false, isConfirmed: false }));
  else throw createInvalidRequestError('Unknown button.');
  return path;
}

function renderActions(account: Account, invoice: Invoice): Html[] {
  const path = `/invoices/${invoice.id}`;
  const charge = findInvoiceCharge(account, invoice);
  if (invoice.status === 'paid' && charge?.paid && !charge.disputed && !charge.refunded)
    return [
      renderButton(path, 'As the seller: give the money back', { do: 'refund' }),
      renderButton(path, 'As the bank: dispute the payment', { do: 'dispute' }),
    ];
  if (charge && findOpenDispute(account, charge))
    return [
      renderButton(path, 'As the bank: decide for the seller', { do: 'win-dispute' }),
      renderButton(path, 'As the bank: decide for the customer', { do: 'lose-dispute' }),
    ];
  if (invoice.status !== 'open') return [];
  const customer = account.require('customer', invoice.customer);
  const subscription = account.find('subscription', invoice.parent.subscription_details.subscription);
  const card = findPayingCard(account, customer, subscription);
  const pay = renderButton(path, `Pay with ${TEST_CARDS.pays.label}`, { do: 'pay' });
  if (card?.behavior !== 'confirms') return [pay];
  return [
    renderButton(path, 'Confirm the payment', { do: 'confirm' }),
    renderButton(path, 'Refuse it', { do: 'refuse' }),
    pay,
  ];
}

function findOpenDispute(account: Account, charge: Charge): Dispute | undefined {
  return account
    .list('dispute')
    .find((one) => one.charge === charge.id && one.status !== 'won' && one.status !== 'lost');
}

function findInvoiceCharge(account: Account, invoice: Invoice): Charge | undefined {
  const id = findInvoicePayment(account, invoice)?.intent.latest_charge;
  return id ? account.find('charge', id) : undefined;
}

function toResultPath(path: string, outcome: string): string {
  if (outcome === 'paid') return path;
  return `${path}?result=${outcome === 'action' ? 'confirm' : 'declined'}`;
}
