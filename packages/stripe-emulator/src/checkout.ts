import type { Account } from './account.ts';
import { type CardBehavior, createCard } from './cards.ts';
import { collectPayment } from './collect-payment.ts';
import { requireCustomer } from './customers.ts';
import { DAY_SECONDS } from './due-time.ts';
import type { PaymentOutcome } from './payments.ts';
import type { CheckoutSession, Metadata } from './sales-objects.ts';
import { createInvalidRequestError } from './stripe-error.ts';
import { startSubscription } from './subscription-lifecycle.ts';

interface CheckoutLineItem {
  price: string;
  quantity: number;
}

export function getCheckoutPurchase(account: Account, session: CheckoutSession) {
  const { wanted } = session.behavior as { wanted: CheckoutLineItem[] };
  return wanted.map(({ price, quantity }) => ({ price: account.require('price', price), quantity }));
}

/** Pay a session; only success creates a subscription. @param confirmed result of a confirmation */
export function payCheckout(
  account: Account,
  session: CheckoutSession,
  behavior: CardBehavior,
  confirmed?: boolean,
): PaymentOutcome {
  if (session.status !== 'open') throw createInvalidRequestError('This page has ended.');
  const customer = requireCustomer(account, session.customer);
  const { metadata, trialDays, trialEnd } = session.behavior as {
    metadata: Metadata;
    trialDays: number | null;
    trialEnd: number | null;
  };
  const pays = behavior === 'pays' || (behavior === 'confirms' && confirmed === true);
  if (!pays) return behavior === 'confirms' && confirmed === undefined ? 'action' : 'failed';
  const card = createCard(account, behavior, customer);
  const { subscription, invoice } = startSubscription(account, {
    customer,
    metadata,
    card,
    priceSelections: getCheckoutPurchase(account, session),
    trialEnd: trialDays ? account.getNow() + trialDays * DAY_SECONDS : trialEnd,
  });
  if (invoice.status === 'open')
    collectPayment(account, invoice, { isAutomatic: true, card, isConfirmed: true });
  account.update(
    session,
    {
      invoice: invoice.id,
      payment_status: invoice.total > 0 ? 'paid' : 'no_payment_required',
      status: 'complete',
      subscription: subscription.id,
      url: null,
    },
    'checkout.session.completed',
  );
  return 'paid';
}

export function expireCheckout(account: Account, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open')
    throw createInvalidRequestError(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  return account.update(session, { status: 'expired', url: null }, 'checkout.session.expired');
}

export function getSuccessUrl(session: CheckoutSession): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
