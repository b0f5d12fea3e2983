import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { Finding } from './look-up.ts';
import { findPaidSubscriptions } from './paid-subscription.repository.ts';
import type { SellingServices, Written } from './payment-services.ts';
import { settleCheckout } from './webhook-event.repository.ts';
import { writeSeenInvoice } from './write-invoice.ts';
import { writeSeenSubscription } from './write-subscription.ts';

/** By what a change is made: the job that follows events, or a comparison, which leaves an entry in the audit trail. */
export type Cause = 'payment-sync' | 'billing-reconcile';

const NONE: Written = { rowId: null, changed: [], unknown: null };

/** Writes what a provider says of an object. Part of a transaction that holds the object's lease. */
export async function writeSeen(
  tx: Tx,
  services: SellingServices,
  { seen, checkout }: Pick<Finding, 'seen' | 'checkout'>,
  { now, cause, isCopy }: { now: Date; cause: Cause; isCopy: boolean },
): Promise<Written> {
  if (checkout && checkout.state !== 'OPEN')
    await settleCheckout(tx, services.payments.name, { ...checkout, state: checkout.state });
  if (!seen) return NONE;
  const written =
    seen.object === 'SUBSCRIPTION'
      ? await writeSeenSubscription(tx, services, seen, now)
      : await writeSeenInvoice(tx, services, seen, isCopy);
  const about =
    seen.object === 'SUBSCRIPTION' ? written.rowId : await rowOf(tx, services, seen.subscriptionId);
  const entry = { operation: cause, requestId: 'job', resourceId: about ?? undefined } as const;
  if (written.unknown === 'PRICE') {
    services.log.error(
      { subscription: seen.id },
      'payments: a subscription has a price that is not of any package',
    );
    await insertAuditEntry(tx, { ...entry, action: 'PAYMENT_PRICE_UNKNOWN', outcome: 'FAILURE' });
  }
  if (cause === 'billing-reconcile' && written.changed.length > 0)
    await insertAuditEntry(tx, {
      ...{ ...entry, action: 'PAYMENT_RECONCILED', outcome: 'SUCCESS' },
      changes: written.changed.map((name) => `${seen.object.toLowerCase()}.${name}`),
    });
  return written;
}

async function rowOf(tx: Tx, { payments }: SellingServices, id: string | null): Promise<string | null> {
  if (id === null) return null;
  return (await findPaidSubscriptions(tx, payments.name, [id])).get(id)?.id ?? null;
}
