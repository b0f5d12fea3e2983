import type { ServerResponse } from 'node:http';
import type { Account } from './account.ts';
import { getCheckoutPurchase, getSuccessUrl, payCheckout } from './checkout.ts';
import { html } from './html.ts';
import { formatAmount, formatDate } from './money.ts';
import { renderButton, sendPage } from './page.ts';
import type { CheckoutSession } from './sales-objects.ts';
import { createInvalidRequestError } from './stripe-error.ts';

interface CheckoutPageSettings {
  account: Account;
}

export function sendCheckoutPage(
  { account }: CheckoutPageSettings,
  response: ServerResponse,
  id: string,
  query: URLSearchParams,
): void {
  const session = account.require('checkout.session', id);
  if (session.status !== 'open') {
    const done = session.status === 'complete';
    const returnUrl = done ? getSuccessUrl(session) : session.cancel_url;
    const body = html`<p>${done ? 'This has been paid.' : 'This page has ended; nothing was paid.'}</p>
${returnUrl && html`<p><a href="${returnUrl}">Go on</a></p>`}`;
    sendPage(response, { title: done ? 'Paid' : 'Ended', body });
    return;
  }
  const path = `/checkout/${id}`;
  const confirms = query.get('result') === 'confirm';
  const body = html`${renderBill(account, session)}
${query.get('result') === 'declined' && html`<p class="result">The card was declined. Nothing was paid.</p>`}
${confirms ? html`<p class="result">The bank asks: is it you who pays this?</p>` : null}
${
  confirms
    ? [renderButton(path, 'Confirm', { do: 'confirmed' }), renderButton(path, 'Refuse', { do: 'refused' })]
    : [
        renderButton(path, 'Pay', { do: 'pay' }),
        renderButton(path, 'Payment fails', { do: 'fail' }),
        renderButton(path, 'Payment needs confirmation', { do: 'confirm' }),
      ]
}
${session.cancel_url && renderButton(path, 'Go back', { do: 'back' })}`;
  sendPage(response, { title: 'Pay for a subscription', body, allowsExternalRedirect: true });
}

export function handleCheckoutPost(
  { account }: CheckoutPageSettings,
  form: URLSearchParams,
  id: string,
): string {
  const session = account.require('checkout.session', id);
  const path = `/checkout/${id}`;
  const action = form.get('do');
  // A form sent twice, for example after going back in the browser.
  if (session.status !== 'open') return session.status === 'complete' ? getSuccessUrl(session) : path;
  if (action === 'back') return session.cancel_url ?? path;
  if (action === 'fail') payCheckout(account, session, 'declines');
  if (action === 'fail' || action === 'refused') return `${path}?result=declined`;
  if (action === 'confirm') return `${path}?result=confirm`;
  if (action === 'pay') payCheckout(account, session, 'pays');
  else if (action === 'confirmed') payCheckout(account, session, 'confirms', true);
  else throw createInvalidRequestError('Unknown button.');
  return getSuccessUrl(session);
}

function renderBill(account: Account, session: CheckoutSession) {
  const language = getLanguage(session);
  const customer = account.require('customer', session.customer);
  const rows = getCheckoutPurchase(account, session).map(({ price, quantity }) => {
    const name = account.find('product', price.product)?.name ?? price.product;
    const each = `${formatAmount(price.unit_amount, price.currency, language)} / ${price.recurring.interval}`;
    return html`<tr><td>${quantity} × ${name}</td><td>${each}</td></tr>`;
  });
  return html`<p class="amount">${formatAmount(session.amount_total, session.currency, language)}</p>
<p>to be paid now by ${customer.email ?? customer.id}, and again with each period. No card is asked for: a button says what becomes of the payment.</p>
<table>${rows}</table>
<p>This page ends on ${formatDate(session.expires_at, language)}.</p>`;
}

function getLanguage({ locale }: CheckoutSession): string {
  const known = typeof locale === 'string' && locale !== 'auto' ? Intl.getCanonicalLocales(locale) : [];
  return known[0] ?? 'en';
}
