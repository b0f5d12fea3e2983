import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RemoteState } from './fetch-remote.ts';
import { findPaidSubscriptions } from './paid-subscription.repository.ts';
import type { EnabledPaymentServices, UpsertResult } from './payment-services.ts';
import { upsertInvoiceFromProvider } from './upsert-invoice.ts';
import { upsertSubscriptionFromProvider } from './upsert-subscription.ts';
import { closeCheckout } from './webhook-event.repository.ts';

/** A reconciliation records an audit event. */
export type SyncCause = 'payment-sync' | 'billing-reconcile';

const NOTHING_WRITTEN: UpsertResult = { rowId: null, changed: [], unknown: null };

/** Write an object's state in a transaction that has the object's lease. */
export async function upsertFromProvider(
  tx: Tx,
  services: EnabledPaymentServices,
  { remote, checkout }: Pick<RemoteState, 'remote' | 'checkout'>,
  { now, cause, isCopy }: { now: Date; cause: SyncCause; isCopy: boolean },
): Promise<UpsertResult> {
  if (checkout && checkout.state !== 'OPEN')
    await closeCheckout(tx, services.payments.name, { ...checkout, state: checkout.state });
  if (!remote) return NOTHING_WRITTEN;
  const written =
    remote.object === 'SUBSCRIPTION'
      ? await upsertSubscriptionFromProvider(tx, services, remote, now)
      : await upsertInvoiceFromProvider(tx, services, remote, isCopy);
  const about =
    remote.object === 'SUBSCRIPTION' ? written.rowId : await findRowId(tx, services, remote.subscriptionId);
  const entry = { operation: cause, requestId: 'job', resourceId: about ?? undefined } as const;
  if (written.unknown === 'PRICE') {
    services.log.error({ subscription: remote.id }, 'payments: a subscription has an unknown price');
    await insertAuditEntry(tx, { ...entry, action: 'PAYMENT_PRICE_UNKNOWN', outcome: 'FAILURE' });
  }
  if (cause === 'billing-reconcile' && written.changed.length > 0)
    await insertAuditEntry(tx, {
      ...entry,
      action: 'PAYMENT_RECONCILED',
      outcome: 'SUCCESS',
      changes: written.changed.map((name) => `${remote.object.toLowerCase()}.${name}`),
    });
  return written;
}

async function findRowId(
  tx: Tx,
  { payments }: EnabledPaymentServices,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  return (await findPaidSubscriptions(tx, payments.name, [id])).get(id)?.id ?? null;
}
