import type { ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { BEHAVIORS, changeCard } from './cards.ts';
import type { Deliveries } from './delivery.ts';
import { DAY } from './due.ts';
import { type Html, html } from './html.ts';
import type { Customer } from './objects.ts';
import { button, sendPage } from './page.ts';
import { cardForm, invoiceTable, subscriptionText } from './portal-page.ts';
import { invalid, noSuch } from './stripe-error.ts';
import { moveClock } from './time.ts';

/** Rows of each table. */
const SHOWN = 30;
const STEPS = [1, 3, 7, 31, 366];

interface Settings {
  account: Account;
  deliveries: Deliveries;
}

/** What there is in the sandbox, its clock, and what was told to the service. */
export function homePage({ account, deliveries }: Settings, response: ServerResponse, id: string): void {
  if (id !== '') throw noSuch('page', id);
  const customers = account.all('customer').filter((customer) => !customer.deleted);
  const body = html`<h2>Clock</h2>
<p>It is ${new Date(account.now() * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC here. Move it on, and what is due meanwhile happens.</p>
<form method="post" action="/"><input type="hidden" name="do" value="clock">
${STEPS.map((days) => html`<button name="days" value="${days}">${days} ${days === 1 ? 'day' : 'days'}</button>`)}</form>
<h2>Customers</h2>
${customers.length === 0 && html`<p>Nobody has bought anything yet.</p>`}
${customers
  .slice(-SHOWN)
  .toReversed()
  .map((customer) => customerPart(account, customer))}
<h2>Told to the service</h2>
<table><tr><th>Event</th><th>State</th><th>Tries</th><td></td></tr>
${deliveries.all().slice(-SHOWN).toReversed().map(deliveryRow)}</table>`;
  sendPage(response, { title: 'Payment sandbox', body });
}

/** Takes a button of the page. */
export function postHome({ account, deliveries }: Settings, form: URLSearchParams): string {
  const wanted = form.get('do');
  const behavior = BEHAVIORS.find((one) => one === form.get('card'));
  if (wanted === 'clock') moveClock(account, Number(form.get('days')) * DAY);
  else if (wanted === 'send') deliveries.send([form.get('event') ?? '']);
  else if (wanted === 'card' && behavior)
    changeCard(account, account.need('customer', form.get('customer') ?? ''), behavior);
  else throw invalid('There is no such button.');
  return '/';
}

function customerPart(account: Account, customer: Customer): Html {
  const theirs = account.all('subscription').filter((one) => one.customer === customer.id);
  const hidden = html`<input type="hidden" name="customer" value="${customer.id}">`;
  return html`<h3>${customer.email ?? customer.id}</h3>
<ul>${theirs.map((one) => html`<li>${subscriptionText(account, one)}</li>`)}</ul>
${cardForm(account, customer, '/', hidden)}
${invoiceTable(account, customer)}`;
}

function deliveryRow({ event, type, state, tries, last }: ReturnType<Deliveries['all']>[number]): Html {
  const again = state !== 'delivered' && button('/', 'Send now', { do: 'send', event });
  return html`<tr><td>${type}</td><td>${state}${last && ` (${last})`}</td><td>${tries}</td><td>${again}</td></tr>`;
}
