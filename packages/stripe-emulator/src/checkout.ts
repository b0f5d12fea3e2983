import type { Account } from './account.ts';
import { type CardBehavior, createCard } from './cards.ts';
import { collect } from './collection.ts';
import { needCustomer } from './customers.ts';
import { DAY } from './due.ts';
import { beginSubscription } from './life.ts';
import type { CheckoutSession, Metadata } from './objects.ts';
import type { Outcome } from './payments.ts';
import { invalid } from './stripe-error.ts';

interface Wanted {
  price: string;
  quantity: number;
}

/** What is bought on a page. */
export function boughtOn(account: Account, session: CheckoutSession) {
  const { wanted } = session.behavior as { wanted: Wanted[] };
  return wanted.map(({ price, quantity }) => ({ price: account.need('price', price), quantity }));
}

/**
 * Somebody tries to pay on a page. Only where it is paid does it become a subscription.
 * @param confirmed whether they have just confirmed it or refused to
 */
export function payCheckout(
  account: Account,
  session: CheckoutSession,
  behavior: CardBehavior,
  confirmed?: boolean,
): Outcome {
  if (session.status !== 'open') throw invalid('This page has ended.');
  const customer = needCustomer(account, session.customer);
  const { metadata, trialDays, trialEnd } = session.behavior as {
    metadata: Metadata;
    trialDays: number | null;
    trialEnd: number | null;
  };
  const pays = behavior === 'pays' || (behavior === 'confirms' && confirmed === true);
  if (!pays) return behavior === 'confirms' && confirmed === undefined ? 'action' : 'failed';
  const card = createCard(account, behavior, customer);
  const { subscription, invoice } = beginSubscription(account, {
    ...{ customer, metadata, card, chosen: boughtOn(account, session) },
    trialEnd: trialDays ? account.now() + trialDays * DAY : trialEnd,
  });
  if (invoice.status === 'open') collect(account, invoice, { automatic: true, card, confirmed: true });
  account.change(
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

/** Ends a page that nobody has paid on. */
export function expireCheckout(account: Account, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  return account.change(session, { status: 'expired', url: null }, 'checkout.session.expired');
}

/** Where somebody goes who has paid. */
export function successUrl(session: CheckoutSession): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
