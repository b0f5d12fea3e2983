import type { Account } from './account.ts';
import { getCurrentPeriod, HOUR_SECONDS } from './due-time.ts';
import type { Invoice, Subscription } from './sales-objects.ts';
import { voidInvoice } from './void-invoice.ts';

/** Time for the payment of an update. */
const PENDING_UPDATE_LIFETIME_SECONDS = 23 * HOUR_SECONDS;

/** Keep a subscription unchanged until its next invoice is paid. */
export function createPendingUpdate(
  account: Account,
  subscription: Subscription,
  change: Pick<Subscription, 'items'> & { billing_cycle_anchor?: number },
): void {
  const pending_update = {
    billing_cycle_anchor: change.billing_cycle_anchor ?? null,
    cancel_at_period_end: null,
    discount: null,
    discounts: null,
    metadata: null,
    expires_at: Math.min(
      account.getNow() + PENDING_UPDATE_LIFETIME_SECONDS,
      getCurrentPeriod(subscription).end,
    ),
    subscription_items: change.items.data,
    trial_end: null,
    trial_from_plan: null,
  };
  account.update(subscription, { pending_update }, 'customer.subscription.updated');
}

export function isPendingUpdateInvoice(invoice: Invoice, subscription: Subscription): boolean {
  const { pending_update, ended_at, latest_invoice } = subscription;
  return pending_update !== null && ended_at === null && latest_invoice === invoice.id;
}

export function applyPendingUpdate(account: Account, subscription: Subscription): void {
  const { pending_update: pendingUpdate, items } = subscription;
  if (!pendingUpdate) return;
  const data = pendingUpdate.subscription_items;
  const patch: Partial<Subscription> = {
    items: { ...items, data, total_count: data.length },
    pending_update: null,
    ...(pendingUpdate.billing_cycle_anchor === null
      ? {}
      : { billing_cycle_anchor: pendingUpdate.billing_cycle_anchor }),
  };
  account.update(subscription, patch, 'customer.subscription.updated');
  account.emit('customer.subscription.pending_update_applied', subscription);
}

export function discardPendingUpdate(account: Account, subscription: Subscription): void {
  const invoice = account.find('invoice', subscription.latest_invoice ?? '');
  const isOpen = invoice?.status === 'open' && isPendingUpdateInvoice(invoice, subscription);
  if (isOpen) voidInvoice(account, invoice);
  const invoiceItems = account
    .list('invoice')
    .findLast(
      (one) => one.parent.subscription_details.subscription === subscription.id && one.status !== 'void',
    );
  const patch = { pending_update: null, latest_invoice: invoiceItems?.id ?? null };
  account.update(subscription, patch, 'customer.subscription.updated');
  account.emit('customer.subscription.pending_update_expired', subscription);
}
