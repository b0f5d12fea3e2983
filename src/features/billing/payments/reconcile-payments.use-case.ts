import type { ProviderInvoice, ProviderSubscription } from '../../../providers/payments/payments.port.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import {
  countInvoicesIssuedSince,
  countProviderSubscriptions,
  findAccountIdsByCustomerIds,
  findInvoicesByProviderIds,
  findPackageVersionsByPriceIds,
  findSubscriptionsByProviderIds,
  listRunningProviderSubscriptionIds,
} from './payment.repository.ts';
import {
  type FieldDifference,
  listInvoiceDifferences,
  listSubscriptionDifferences,
} from './payment-difference.rules.ts';
import type { EnabledPaymentServices } from './payment-services.ts';
import { syncPaymentObject } from './sync-object.ts';

const BATCH_SIZE = 100;

/** Holds ids of the provider and no personal data. */
export interface PaymentReconciliationDifference {
  object: 'SUBSCRIPTION' | 'INVOICE';
  id: string;
  /** Empty when the provider does not know the object. */
  fields: FieldDifference[];
  isRepaired: boolean;
}

export interface PaymentReconciliationOptions {
  invoiceDays: number;
  isDryRun: boolean;
  onDifference(difference: PaymentReconciliationDifference): void;
  onProgress(done: number, total: number): void;
  signal: AbortSignal;
}

export interface PaymentReconciliationResult {
  subscriptions: number;
  invoices: number;
  /** Customers of unknown or erased users. */
  unknownCustomers: number;
  different: number;
  repaired: number;
  /** False when the run was stopped early. */
  isComplete: boolean;
}

type RemoteObject = ProviderSubscription | ProviderInvoice;

/**
 * Sync what differs as after an event; can be stopped and repeated. Unknown subscriptions are only reported,
 * since all are unknown under another account's key.
 * @throws PaymentError
 */
export async function reconcilePayments(
  services: EnabledPaymentServices,
  options: PaymentReconciliationOptions,
): Promise<PaymentReconciliationResult> {
  const { payments, database, paymentRateLimiter } = services;
  const { client } = database;
  const { signal, onDifference } = options;
  const since = new Date(Date.now() - options.invoiceDays * DAY_MS);
  const known = await countProviderSubscriptions(client, payments.name);
  const expected = known + (await countInvoicesIssuedSince(client, payments.name, since));
  const result = {
    subscriptions: 0,
    invoices: 0,
    unknownCustomers: 0,
    different: 0,
    repaired: 0,
    isComplete: false,
  };
  const listed = new Set<string>();

  async function compareAll(objects: AsyncIterable<RemoteObject>): Promise<void> {
    for await (const batch of readBatches(objects, paymentRateLimiter.acquire)) {
      if (signal.aborted) return;
      await compareBatch(batch);
      const done = result.subscriptions + result.invoices;
      options.onProgress(done, Math.max(done, expected));
    }
  }

  async function compareBatch(batch: readonly RemoteObject[]): Promise<void> {
    const payers = await findAccountIdsByCustomerIds(
      client,
      payments.name,
      batch.map(({ customerId }) => customerId),
    );
    for (const { object, id } of batch) {
      if (object === 'SUBSCRIPTION') listed.add(id);
      result[object === 'SUBSCRIPTION' ? 'subscriptions' : 'invoices'] += 1;
    }
    const ours = batch.filter(({ customerId }) => payers.has(customerId));
    result.unknownCustomers += batch.length - ours.length;
    for (const [remote, fields] of await compareObjects(services, ours)) {
      if (fields.length === 0) continue;
      // Listing takes time, so the listed state may be outdated.
      const [now] = await compareObjects(services, [await fetchAgain(services, remote)]);
      if (now && now[1].length > 0) await differs(...now);
    }
  }

  async function differs(
    { object, id }: Pick<RemoteObject, 'object' | 'id'>,
    fields: FieldDifference[],
  ): Promise<void> {
    result.different += 1;
    const isRepaired = !options.isDryRun && (await repair(services, { object, id }));
    if (isRepaired) result.repaired += 1;
    onDifference({ object, id, fields, isRepaired });
  }

  await compareAll(payments.listSubscriptions());
  for (let after = ''; !signal.aborted; ) {
    const running = await listRunningProviderSubscriptionIds(client, payments.name, after, BATCH_SIZE);
    const missing = running.filter((id) => !listed.has(id));
    for (const id of missing) {
      await paymentRateLimiter.acquire();
      const remote = await payments.findSubscription(id);
      if (remote) await compareBatch([remote]);
      else await differs({ object: 'SUBSCRIPTION', id }, []);
    }
    after = running.at(-1) ?? '';
    if (after === '') break;
  }
  await compareAll(payments.listInvoices(since));
  return { ...result, isComplete: !signal.aborted };
}

async function fetchAgain(
  { payments, paymentRateLimiter }: EnabledPaymentServices,
  remote: RemoteObject,
): Promise<RemoteObject> {
  await paymentRateLimiter.acquire();
  const { object, id } = remote;
  return (await (object === 'INVOICE' ? payments.findInvoice(id) : payments.findSubscription(id))) ?? remote;
}

async function compareObjects(
  { payments, database }: EnabledPaymentServices,
  batch: readonly RemoteObject[],
): Promise<[RemoteObject, FieldDifference[]][]> {
  const { client } = database;
  const ids = (object: RemoteObject['object']) =>
    batch.flatMap((one) => (one.object === object ? one.id : []));
  const prices = batch.flatMap((one) => (one.object === 'SUBSCRIPTION' ? one.priceId : []));
  const sold = await findPackageVersionsByPriceIds(client, payments.name, prices);
  const subscriptions = await findSubscriptionsByProviderIds(client, payments.name, ids('SUBSCRIPTION'));
  const invoices = await findInvoicesByProviderIds(client, payments.name, ids('INVOICE'));
  return batch.map((remote) => [
    remote,
    remote.object === 'SUBSCRIPTION'
      ? listSubscriptionDifferences(
          subscriptions.get(remote.id)?.facts ?? null,
          remote,
          sold.get(remote.priceId) ?? null,
        )
      : listInvoiceDifferences(invoices.get(remote.id)?.facts ?? null, remote),
  ]);
}

async function repair(
  services: EnabledPaymentServices,
  object: Pick<RemoteObject, 'object' | 'id'>,
): Promise<boolean> {
  const synced = await syncPaymentObject(services, object.id, 'billing-reconcile', [object]);
  // Another process has the lock and syncs the object.
  if (synced.state !== 'DONE') return synced.state === 'NOTHING';
  return synced.written.changed.length > 0;
}

async function* readBatches(
  objects: AsyncIterable<RemoteObject>,
  acquire: () => Promise<void>,
): AsyncIterable<RemoteObject[]> {
  let batch: RemoteObject[] = [];
  await acquire();
  for await (const one of objects) {
    batch.push(one);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
    // A page of the provider's list has about this size.
    await acquire();
  }
  if (batch.length > 0) yield batch;
}
